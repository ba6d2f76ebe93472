"""What must not be held by another thread when a process is copied: nobody in the copy gives it back."""

import threading

lock = threading.RLock()  # of what is known of bodies
llvm_lock = threading.Lock()  # held while LLVM compiles
