"""The locks that no other thread may hold at a fork, since the child could never release them."""

import threading

lock = threading.RLock()  # guards the registry of backends in `choose_backend`
llvm_lock = threading.Lock()  # held while LLVM compiles
