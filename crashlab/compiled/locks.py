"""The locks that no other thread may hold at a fork, since the child could never release them."""

import threading

lock = threading.RLock()  # guards the registry of bodies in `choose_body`
llvm_lock = threading.Lock()  # held while LLVM compiles
