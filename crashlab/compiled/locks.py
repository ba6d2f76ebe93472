"""The locks that a fork must hold: a child could never release a lock that another thread held at the fork."""

import threading

lock = threading.RLock()  # guards the registry of backends in `choose_backend`
llvm_lock = threading.Lock()  # held while LLVM compiles
