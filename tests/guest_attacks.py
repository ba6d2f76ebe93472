"""Attacks of hostile guests, and the expected obstacles. As a program, it plays their league and prints the results.

No attack would harm the machine if it succeeded: signals are 0, which only checks whether one could be sent.

    python guest_attacks.py LAYER LAYER ...

An attack runs in the agent, during a question. `call` makes a system call without Python's checks and returns the name
of the error, or "done". HOST is the league's process, NEXT the opponent's, and FOLDER has the file SECRET.
"""

import json
import os
import signal
import sys
import tempfile
from pathlib import Path
from zlib import crc32

PRELUDE = """
import ctypes, errno, mmap, os, platform, struct, sys
{modules}

LIBC = ctypes.CDLL(None, use_errno=True)
X86 = platform.machine() == "x86_64"
NUMBERS = {{
    "fork": (57, None), "vfork": (58, None), "clone": (56, 220), "clone3": (435, 435), "execve": (59, 221),
    "execveat": (322, 281), "kill": (62, 129), "tkill": (200, 130), "tgkill": (234, 131),
    "rt_sigqueueinfo": (129, 138), "pidfd_open": (434, 434), "pidfd_send_signal": (424, 424),
    "pidfd_getfd": (438, 438), "ptrace": (101, 117), "process_vm_readv": (310, 270),
    "process_vm_writev": (311, 271), "process_madvise": (440, 440), "kcmp": (312, 272), "setpgid": (109, 154),
    "setsid": (112, 157), "setpriority": (141, 140), "sched_setaffinity": (203, 122),
    "sched_setscheduler": (144, 119), "ioprio_set": (251, 30), "prlimit64": (302, 261), "setrlimit": (160, 164),
    "timer_create": (222, 107), "timerfd_create": (283, 85), "open": (2, None), "openat": (257, 56),
    "openat2": (437, 437), "creat": (85, None), "name_to_handle_at": (303, 264), "open_by_handle_at": (304, 265),
    "symlinkat": (266, 36), "linkat": (265, 37), "renameat2": (316, 276), "unlinkat": (263, 35),
    "truncate": (76, 45), "ftruncate": (77, 46), "fallocate": (285, 47), "fchmodat": (268, 53), "chown": (92, None),
    "fchownat": (260, 54), "utimensat": (280, 88), "mkdirat": (258, 34), "mknodat": (259, 33), "chdir": (80, 49),
    "setxattr": (188, 5), "mount": (165, 40), "umount2": (166, 39), "chroot": (161, 51), "pivot_root": (155, 41),
    "unshare": (272, 97), "setns": (308, 268), "memfd_create": (319, 279), "memfd_secret": (447, 447),
    "inotify_init1": (294, 26), "fanotify_init": (300, 262), "io_uring_setup": (425, 425), "sendfile": (40, 71),
    "splice": (275, 76), "copy_file_range": (326, 285), "socket": (41, 198), "socketpair": (53, 199),
    "connect": (42, 203), "bind": (49, 200), "sendmsg": (46, 211), "sendto": (44, 206), "shmget": (29, 194),
    "semget": (64, 190), "msgget": (68, 186), "mq_open": (240, 180), "keyctl": (250, 219), "add_key": (248, 217),
    "perf_event_open": (298, 241), "bpf": (321, 280), "userfaultfd": (323, 282), "mlock": (149, 228),
    "mlockall": (151, 230), "prctl": (157, 167), "seccomp": (317, 277), "personality": (135, 92),
    "setuid": (105, 146), "setresuid": (117, 147), "setgroups": (116, 159), "capset": (126, 91), "pipe2": (293, 59),
    "eventfd2": (290, 19), "epoll_create1": (291, 20), "signalfd4": (289, 74), "reboot": (169, 142),
    "sethostname": (170, 161), "clock_settime": (227, 112), "adjtimex": (159, 171), "swapon": (167, 224),
    "init_module": (175, 105), "kexec_load": (246, 104), "quotactl": (179, 60), "acct": (163, 89),
    "syslog": (103, 116), "ustat": (136, None), "lookup_dcookie": (212, 18), "landlock_create_ruleset": (444, 444),
    "rseq": (334, 293), "move_pages": (279, 239), "migrate_pages": (256, 238), "mbind": (237, 235),
    "vhangup": (153, 58), "futimesat": (261, None), "uselib": (134, None), "iopl": (172, None), "statmount": (457, 457),
    "listmount": (458, 458), "modify_ldt": (154, None),
}}

def call(name, *arguments):
    number = NUMBERS[name][0 if X86 else 1]
    if number is None:
        return "ENOSYS"
    return raw(number, *arguments)

def raw(number, *arguments):
    given = [ctypes.c_long(one) if isinstance(one, int) else one for one in arguments]
    result = LIBC.syscall(ctypes.c_long(number), *given)
    return errno.errorcode.get(ctypes.get_errno(), "?") if result < 0 else f"done {{result}}"

def tried(do):
    try:
        return f"done {{do()!r}}"
    except OSError as error:
        return errno.errorcode.get(error.errno, repr(error))
    except BaseException as error:
        return f"{{type(error).__name__}}: {{error}}"

def seeds(frame):
    found = 0
    while frame:
        for value in list(frame.f_locals.values()):
            inner = value.values() if isinstance(value, dict) else [value]
            found += sum(type(one) is int and one.bit_length() > 100 for one in inner)
        frame = frame.f_back
    return found

HOST, NEXT, FOLDER = {host}, {other}, {folder!r}
SECRET = FOLDER + "/SECRET"
PATH = SECRET.encode() + b"\\0"
NEW = FOLDER.encode() + b"/NEW\\0"
HERE = -100
ROOMS = []

def write(code):
    ROOMS.append(mmap.mmap(-1, 4096, prot=7))
    ROOMS[-1].write(code)
    ROOMS.append(ctypes.c_char.from_buffer(ROOMS[-1]))
    return ctypes.CFUNCTYPE(ctypes.c_long)(ctypes.addressof(ROOMS[-1]))

{more}

def agent(state, seat):
{attack}    return state.actions(seat)[0]
"""

MODULES = (
    "crashlab",
    "fcntl",
    "multiprocessing.shared_memory",
    "shutil",
    "signal",
    "socket",
    "subprocess",
    "tempfile",
    "threading",
    "time",
)

# Attacks by name: the code and the word that refuses it.
ATTACKS = {
    # Other processes
    "ends the league": ("raw(NUMBERS['pidfd_open'][0], HOST, 0)", "EPERM"),
    "ends the league by a signal": ("call('kill', HOST, 0)", "EPERM"),
    "ends what it comes from": ("call('kill', os.getppid(), 0)", "EPERM"),
    "ends the opponent": ("call('kill', NEXT, 0)", "EPERM"),
    "ends all it can": ("call('kill', -1, 0)", "EPERM"),
    "ends a thread of the league": ("call('tgkill', HOST, HOST, 0)", "EPERM"),
    "ends a thread by number": ("call('tkill', NEXT, 0)", "EPERM"),
    "queues a signal": ("call('rt_sigqueueinfo', HOST, 0, bytes(128))", "EPERM"),
    "takes a descriptor of the league": ("call('pidfd_getfd', 3, 1, 0)", "EPERM"),
    "signals by a descriptor": ("call('pidfd_send_signal', 3, 0, None, 0)", "EPERM"),
    "traces the opponent": ("call('ptrace', 16, NEXT, None, None)", "EPERM"),
    "is traced": ("call('ptrace', 0, 0, None, None)", "EPERM"),
    "reads the league's memory": ("call('process_vm_readv', HOST, bytes(16), 1, bytes(16), 1, 0)", "EPERM"),
    "writes the opponent's memory": ("call('process_vm_writev', NEXT, bytes(16), 1, bytes(16), 1, 0)", "EPERM"),
    "advises about memory": ("call('process_madvise', 3, bytes(16), 1, 4, 0)", "EPERM"),
    "compares processes": ("call('kcmp', HOST, NEXT, 0, 0, 0)", "EPERM"),
    "moves pages": ("call('move_pages', NEXT, 0, None, None, None, 0)", "EPERM"),
    "opens the league's memory": ("tried(lambda: open(f'/proc/{HOST}/mem', 'rb'))", "EACCES"),
    "writes its own memory as a file": ("tried(lambda: open('/proc/self/mem', 'r+b'))", "EACCES"),
    "reads the league's variables": ("tried(lambda: open(f'/proc/{HOST}/environ').read())", "EACCES"),
    "reads the league's command": ("tried(lambda: open(f'/proc/{HOST}/cmdline').read())", "EACCES"),
    "finds the league's folder": ("tried(lambda: os.readlink(f'/proc/{HOST}/cwd'))", "E"),
    "looks through the league's root": ("tried(lambda: open(f'/proc/{HOST}/root{SECRET}').read())", "EACCES"),
    "slows the league": ("call('setpriority', 0, HOST, 1)", "EPERM"),
    "pins the league": ("call('sched_setaffinity', HOST, 8, struct.pack('Q', 1))", "EPERM"),
    "is scheduled first": ("call('sched_setscheduler', 0, 1, struct.pack('i', 1))", "EPERM"),
    "reads and writes first": ("call('ioprio_set', 1, HOST, 0)", "EPERM"),
    "limits the league": ("call('prlimit64', HOST, 7, struct.pack('QQ', 3, 3), None)", "EPERM"),
    "asks for the league's limits": ("call('prlimit64', HOST, 7, None, ctypes.create_string_buffer(16))", "EPERM"),
    "lifts its limits": ("call('prlimit64', 0, 9, struct.pack('QQ', 1 << 40, 1 << 40), None)", "EPERM"),
    "lifts its limits the old way": ("call('setrlimit', 9, struct.pack('QQ', 1 << 40, 1 << 40))", "EPERM"),
    "joins the league's group": ("call('setpgid', 0, HOST)", "EPERM"),
    "leaves its session": ("call('setsid')", "EPERM"),
    "reads the clock of the league": ("tried(lambda: time.clock_gettime(~HOST << 3 | 2))", "EPERM"),
    "reads the clock of the opponent": ("tried(lambda: time.clock_gettime(~NEXT << 3 | 2))", "EPERM"),
    "asks how fine that clock is": ("tried(lambda: time.clock_getres(~NEXT << 3 | 2))", "EPERM"),
    "waits for that clock": ("-LIBC.clock_nanosleep(~NEXT << 3 | 2, 0, bytes(16), None)", "-1"),
    "asks where the opponent runs": ("tried(lambda: os.sched_getaffinity(NEXT))", "EPERM"),
    # The guest's own processes and threads
    "forks": ("tried(os.fork)", "EPERM"),
    "forks in the kernel": ("call('clone', 17, None, None, None, None)", "EPERM"),
    "forks by the newest call": ("call('clone3', bytes(88), 88)", "ENOSYS"),
    "shares its memory with a child": ("call('vfork') if X86 else 'EPERM'", "EPERM"),
    "a bomb": ("[tried(os.fork) for _ in range(1000)][-1]", "EPERM"),
    "a shell": ("tried(lambda: subprocess.run(['/bin/sh', '-c', 'echo'], check=False))", "EPERM"),
    "a shell by spawn": ("tried(lambda: os.posix_spawn('/bin/sh', ['sh'], {}))", "EPERM"),
    "another program": ("tried(lambda: os.execv('/bin/sh', ['sh']))", "EPERM"),
    "another program by descriptor": ("call('execveat', 0, b'', None, None, 0x1000)", "EPERM"),
    "a thread": ("tried(threading.Thread(target=print).start)", "can't start new thread"),
    "a timer that wakes it": ("call('timer_create', 1, struct.pack('qii48x', 0, 18, 0), bytes(8))", "EPERM"),
    "a timer as a file": ("call('timerfd_create', 1, 0)", "EPERM"),
    "a program from memory": ("call('memfd_create', b'x', 0)", "EPERM"),
    "secret memory": ("call('memfd_secret', 0)", "E"),
    # Files
    "reads a file": ("tried(lambda: open(SECRET).read())", "EACCES"),
    "reads a file in the kernel": ("call('openat', HERE, PATH, 0, 0)", "EACCES"),
    "reads a file by the oldest call": ("call('open', PATH, 0, 0) if X86 else 'EACCES'", "EACCES"),
    "reads a file by the newest call": ("call('openat2', HERE, PATH, bytes(24), 24)", "ENOSYS"),
    "reads a file by its handle": ("call('open_by_handle_at', HERE, bytes(64), 0)", "EPERM"),
    "asks for a handle": ("call('name_to_handle_at', HERE, PATH, bytes(64), bytes(8), 0)", "EPERM"),
    "holds a file without reading": ("tried(lambda: os.open(SECRET, os.O_PATH))", "EACCES"),
    "lists a folder": ("tried(lambda: os.listdir(FOLDER))", "EACCES"),
    "lists where it is": ("tried(lambda: os.listdir('.'))", "EACCES"),
    "reads the password file": ("tried(lambda: open('/etc/shadow').read())", "EACCES"),
    "reads what is root's": ("tried(lambda: os.listdir('/root'))", "EACCES"),
    "reads a disk": ("tried(lambda: open('/dev/vda', 'rb').read(512))", "EACCES"),
    "opens the terminal": ("tried(lambda: open('/dev/tty', 'w'))", "EACCES"),
    "imports the tests": ("tried(lambda: __import__('test_league'))", "ModuleNotFoundError"),
    "reads by io_uring": ("call('io_uring_setup', 8, bytes(120))", "EPERM"),
    "empties a file": ("tried(lambda: open(SECRET, 'w'))", "EACCES"),
    "adds to a file": ("tried(lambda: open(SECRET, 'a').write('x'))", "EACCES"),
    "empties a file by name": ("call('truncate', PATH, 0)", "EPERM"),
    "creates a file": ("tried(lambda: os.open(FOLDER + '/NEW', os.O_CREAT | os.O_WRONLY))", "EACCES"),
    "creates a file the old way": ("call('creat', NEW, 0o600) if X86 else 'EPERM'", "EPERM"),
    "creates a file without name": ("tried(lambda: os.open('/tmp', os.O_TMPFILE | os.O_RDWR))", "EACCES"),
    "a temporary file": ("tried(tempfile.TemporaryFile)", "E"),
    "removes a file": ("call('unlinkat', HERE, PATH, 0)", "EPERM"),
    "removes all files": ("tried(lambda: shutil.rmtree(FOLDER))", "E"),
    "renames a file": ("call('renameat2', HERE, PATH, HERE, NEW, 0)", "EPERM"),
    "links to a file": ("call('linkat', HERE, PATH, HERE, NEW, 0)", "EPERM"),
    "a symbolic link": ("call('symlinkat', PATH, HERE, NEW)", "EPERM"),
    "a folder": ("call('mkdirat', HERE, NEW, 0o700)", "EPERM"),
    "a pipe with a name": ("tried(lambda: os.mkfifo(FOLDER + '/NEW'))", "EPERM"),
    "a device": ("tried(lambda: os.mknod(FOLDER + '/NEW', 0o20600, os.makedev(1, 1)))", "EPERM"),
    "opens a file to all": ("call('fchmodat', HERE, PATH, 0o777)", "EPERM"),
    "gives a file away": ("call('fchownat', HERE, PATH, 1, 1, 0)", "EPERM"),
    "changes times": ("call('utimensat', HERE, PATH, None, 0)", "EPERM"),
    "hides something beside a file": ("call('setxattr', PATH, b'user.x', b'x', 1, 0)", "EPERM"),
    "goes elsewhere": ("call('chdir', FOLDER.encode())", "EPERM"),
    "mounts": ("call('mount', b'none', FOLDER.encode(), b'tmpfs', 0, None)", "EPERM"),
    "unmounts": ("call('umount2', FOLDER.encode(), 2)", "EPERM"),
    "another root": ("call('chroot', b'/tmp')", "EPERM"),
    "turns the root": ("call('pivot_root', b'/', b'/')", "EPERM"),
    "a namespace": ("call('unshare', 0x10000000)", "EPERM"),
    "enters a namespace": ("call('setns', 0, 0)", "EPERM"),
    "watches files": ("call('inotify_init1', 0)", "EPERM"),
    "watches the machine": ("call('fanotify_init', 0, 0)", "EPERM"),
    "moves bytes between files": ("call('sendfile', 1, 0, None, 10)", "EPERM"),
    "splices": ("call('splice', 0, None, 1, None, 10, 0)", "EPERM"),
    "copies a range": ("call('copy_file_range', 0, None, 1, None, 10, 0)", "EPERM"),
    "fills what it prints": (
        "[tried(lambda: os.lseek(1, 1 << 30, 0) and os.write(1, b'y')), os.lseek(1, 0, 2)]",
        "EFBIG",
    ),
    "grows what it prints": ("call('ftruncate', 1, 1 << 40)", "EPERM"),
    "reserves room": ("call('fallocate', 1, 0, 0, 1 << 40)", "EPERM"),
    "opens its own line again": ("tried(lambda: open('/proc/self/fd/3', 'rb'))", "E"),
    "turns what it prints into a program": ("tried(lambda: open('/proc/self/fd/1', 'r+b'))", "EACCES"),
    # Pipes of others
    "the network": ("tried(lambda: socket.create_connection(('127.0.0.1', 9), 1))", "EPERM"),
    "a datagram": ("call('socket', 2, 2, 0)", "EPERM"),
    "a socket without a name": ("call('socket', 1, 1, 0)", "EPERM"),
    "netlink": ("call('socket', 16, 3, 0)", "EPERM"),
    "vsock": ("call('socket', 40, 1, 0)", "EPERM"),
    "raw packets": ("call('socket', 17, 3, 0x300)", "EPERM"),
    "a pair of sockets": ("call('socketpair', 1, 1, 0, bytes(8))", "EPERM"),
    "a pipe": ("call('pipe2', bytes(8), 0)", "EPERM"),
    "sends a descriptor on its line": ("call('sendmsg', 3, bytes(56), 0)", "EPERM"),
    "sends out of band": ("call('sendto', 3, b'x', 1, 1, None, 0)", "EPERM"),
    "connects its line": ("call('connect', 3, bytes(16), 16)", "EPERM"),
    "binds its line": ("call('bind', 3, struct.pack('H14s', 1, b'\\0name'), 7)", "EPERM"),
    "has its line send signals": ("tried(lambda: fcntl.fcntl(3, fcntl.F_SETOWN, HOST))", "EPERM"),
    "is told of signals on its line": ("tried(lambda: fcntl.fcntl(3, fcntl.F_SETSIG, 15))", "EPERM"),
    "types into the terminal": ("tried(lambda: fcntl.ioctl(0, 0x5412, b'x'))", "EPERM"),
    "locks a file": ("tried(lambda: fcntl.flock(1, fcntl.LOCK_EX))", "EPERM"),
    "shared memory": ("call('shmget', 77, 4096, 0o1666)", "EPERM"),
    "shared memory by name": ("tried(lambda: multiprocessing.shared_memory.SharedMemory('x', True, 9))", "E"),
    "a semaphore": ("call('semget', 77, 1, 0o1666)", "EPERM"),
    "a queue": ("call('msgget', 77, 0o1666)", "EPERM"),
    "a queue with a name": ("call('mq_open', b'x', 0x42, 0o666, None)", "EPERM"),
    "a key": ("call('add_key', b'user', b'x', b'y', 1, -3)", "EPERM"),
    "asks for keys": ("call('keyctl', 0, -3, 0)", "EPERM"),
    # The machine
    "counts what the machine does": ("call('perf_event_open', bytes(128), 0, -1, -1, 0)", "EPERM"),
    "a program in the kernel": ("call('bpf', 5, bytes(64), 64)", "EPERM"),
    "answers page faults": ("call('userfaultfd', 0)", "EPERM"),
    "keeps memory": ("call('mlock', 0, 4096)", "EPERM"),
    "keeps all memory": ("call('mlockall', 2)", "EPERM"),
    "can be dumped": ("call('prctl', 4, 1, 0, 0, 0)", "EPERM"),
    "lets others trace it": ("call('prctl', 0x59616D61, -1, 0, 0, 0)", "EPERM"),
    "outlives the league": ("call('prctl', 1, 0, 0, 0, 0)", "EPERM"),
    "another filter": ("call('seccomp', 1, 0, None)", "EPERM"),
    "another Landlock": ("call('landlock_create_ruleset', bytes(8), 8, 0)", "EPERM"),
    "another personality": ("call('personality', 0x0400000)", "EPERM"),
    "becomes root": ("call('setresuid', 0, 0, 0)", "EPERM"),
    "becomes somebody": ("call('setuid', 1)", "EPERM"),
    "joins groups": ("call('setgroups', 0, None)", "EPERM"),
    "takes its rights back": ("call('capset', struct.pack('Ii', 0x20080522, 0), b'\\xff' * 24)", "EPERM"),
    "sets the clock": ("call('clock_settime', 99, bytes(16))", "EPERM"),
    "bends the clock": ("call('adjtimex', bytes(208))", "EPERM"),
    "renames the machine": ("call('sethostname', platform.node().encode(), len(platform.node()))", "EPERM"),
    "restarts the machine": ("call('reboot', 0, 0, 0, None)", "EPERM"),
    "a module of the kernel": ("call('init_module', None, 0, b'')", "EPERM"),
    "another kernel": ("call('kexec_load', 0, 99, None, 0)", "EPERM"),
    "the kernel's log": ("call('syslog', 3, bytes(64), 64)", "EPERM"),
    "ports": ("call('iopl', 3) if X86 else 'EPERM'", "EPERM"),
    "its table of segments": ("call('modify_ldt', 1, bytes(16), 16) if X86 else 'EPERM'", "EPERM"),
    "the newest calls": ("call('statmount', None, None, 0, 0)", "ENOSYS"),
    "calls that nobody knows": ("raw(9999)", "ENOSYS"),
    "calls of another kind": ("raw(0x40000000 + 57) if X86 else 'ENOSYS'", "ENOSYS"),
    "calls of 32 bits": (
        "write(bytes.fromhex('b814000000cd80c3'))() if X86 else LIBC['raise'](31)",
        "was ended by SIGSYS",
    ),
    # Python and the agent itself
    "all memory": ("tried(lambda: bytearray(1 << 40))", "MemoryError"),
    "a balloon": ("tried(lambda: [bytearray(1 << 24) for _ in range(1000)])", "MemoryError"),
    "an error in the machine": ("ctypes.string_at(0)", "was ended by SIGSEGV"),
    "stops itself": ("signal.raise_signal(signal.SIGSTOP)", "took more than 0.3 s"),
    "never answers": ("[0 for _ in iter(int, 1)]", "took more than 0.3 s"),
    "never answers and hears no signal": (
        "[signal.pthread_sigmask(0, range(1, 65))] + [0 for _ in iter(int, 1)]",
        "took more than 0.3 s",
    ),
    "closes its line": ("os.close(3)", "it ended its process"),
    "closes its line and stays": ("[os.close(3), time.sleep(60)]", "closed its connection"),
    "answers twice": ('os.write(3, b\'\\0\\0\\0\\x10{"played": "x"}  \')', "sent a message without being asked"),
    "floods its line": ("[os.write(3, b'y' * 65536) for _ in range(1000)]", "sent nonsense"),
    "says how long it is and nothing": ("[os.write(3, b'\\0\\0\\1\\0'), time.sleep(60)]", "took more than 0.3 s"),
    "an endless answer": ("[os.write(3, b'\\xff\\xff\\xff\\xff'), time.sleep(60)]", "sent nonsense"),
    "leaves with a word": ("os._exit(7)", "it ended its process, with status 7"),
    "looks for its seed": ("f'{seeds(sys._getframe())} found'", "0 found"),
    "paints the terminal": ("'\\x1b[2J\\u202e\\x9b'", "paints the terminal:"),
}

# Attacks with code outside of the function.
MORE = {
    "runs while others think": (
        "def wake(*_):\n    end = time.process_time() + 60\n    while time.process_time() < end: pass\n"
        "signal.signal(signal.SIGALRM, wake)\nsignal.signal(signal.SIGCONT, wake)",
        "signal.setitimer(signal.ITIMER_REAL, 0.01)",
        "took more than 0.3 s",
    ),
    "takes the guard away": (
        "from crashlab.play.league import sandbox, locks\nsandbox.WRITING = 0\n"
        "sandbox.is_within.__code__ = (lambda path, folders: True).__code__\nlocks.READABLE_FILES = (SECRET,)",
        "tried(lambda: open(SECRET).read())",
        "EACCES",
    ),
    "opens when it is loaded": ("FOUND = tried(lambda: open(SECRET).read())", "FOUND", "EACCES"),
    "opens when it is forgotten": (
        "class Last:\n    def __del__(self): print(tried(lambda: open(SECRET).read()))",
        "Last() and 1",
        "EACCES",
    ),
    "reads the folder that modules come from": (
        "",
        "[tried(lambda: os.listdir(folder or '.')) for folder in ('', *sys.path) if 'python' not in folder]",
        "[",
    ),
    "changes the game for itself": (
        "crashlab.State.refusal = lambda *_: ''\ncrashlab.Game.say = lambda *_: '99 X'",
        "1",
        "answered '99 X'",
    ),
}
SEED = 0x5EED << 112  # seed of each guest
MASK = (1 << 64) - 1
MANY = 25  # attacks on one guest that it survives
AFTERWARDS = {"closes its line", "answers twice", "runs while others think"}  # detected at the next question


def foretold(seeds, seats, name, lows):
    """Compute the 64 bits behind all seeds of a season from the seeds of two guests, if they are SplitMix64 numbers.

    The first seed gives 32 bits of its 64-bit number; the other 32 are enumerated (`lows`; all take a minute or two).
    Each candidate is inverted by two steps and checked with the second guest's seed; a third step yields the season.
    """
    import numpy as np

    from crashlab.engine.chance import STEP

    def unmixed(x):
        for shift, factor in ((31, 0x94D049BB133111EB), (27, 0xBF58476D1CE4E5B9), (30, 1)):
            x = x ^ x >> shift ^ x >> 2 * shift
            x = x * np.uint64(pow(factor, -1, 1 << 64))
        return x

    def mixed(x):
        for shift, factor in ((30, 0xBF58476D1CE4E5B9), (27, 0x94D049BB133111EB)):
            x = (x ^ x >> shift) * np.uint64(factor)
        return x ^ x >> 31

    def word(name):
        return np.uint64(crc32(repr(name).encode()) * STEP & MASK)

    step = np.uint64(STEP)
    agents = unmixed(unmixed(np.uint64(seeds[0] << 32 & MASK) | lows) - step) ^ word(seats[0])
    second = mixed(mixed(agents ^ word(seats[1])) + step) >> 32
    return [int(one) for one in unmixed(agents[second == seeds[1] % (1 << 32)]) ^ word(name)]


def league(layers, folder):
    """Play every attack and check after each that nothing was harmed."""
    import crashlab
    from crashlab.agents import random
    from crashlab.base.clock import TimeIsUp
    from crashlab.play.league import guest as guests
    from crashlab.play.league import locks
    from crashlab.play.league.guest import Guest, GuestSpec, Limits, Participant
    from crashlab.play.process_agent import Failed

    locks.available = lambda: tuple(layers)
    guests.ENDING = 4.0  # a busy machine takes a second to end a process
    game = crashlab.game("autoscooter", players=2)
    match = crashlab.Match(game, random(1), 3)
    Path(folder, "SECRET").write_text("the seed is 4711\n")
    heard = []
    for number in {signal.SIGTERM, signal.SIGHUP, signal.SIGINT, signal.SIGUSR1, signal.SIGALRM, signal.SIGCONT}:
        signal.signal(number, lambda number, _: heard.append(signal.Signals(number).name))

    def invited(text, seconds=60.0):
        guest = Guest(GuestSpec(Participant("asyncio", text), game, Limits(seconds, 1024)), SEED)
        guest.begin()
        return guest

    def standing():
        import resource

        files = {
            str(path): (path.read_bytes(), path.stat().st_mode, path.stat().st_mtime_ns, path.stat().st_uid)
            for path in Path(folder).iterdir()
        }
        about = os.getpriority(os.PRIO_PROCESS, 0), os.sched_getaffinity(0), resource.getrlimit(resource.RLIMIT_NOFILE)
        return files, about, os.getpgid(0), heard[:]

    opponent = invited("def agent(state, seat):\n    return state.actions(seat)[1]\n")
    view = match.state.seen_by(0)
    right = opponent(view, 0)
    pid, results = opponent._process.pid, {}
    quick = [name for name, (_, word) in ATTACKS.items() if word[0] == "E"]  # each of these continues after the error
    several = [quick[place : place + MANY] for place in range(0, len(quick), MANY)]
    attacks = {name: ("", *attack) for name, attack in ATTACKS.items()} | MORE
    for names in [*several, *([name] for name in attacks if name not in quick)]:
        before = standing()
        more, (_, _, word) = attacks[names[0]][0], attacks[names[0]]
        lines = "".join(f"    print({f'{name}:'!r}, {attacks[name][1]})\n" for name in names)
        modules = "".join(f"import {module}\n" for module in MODULES if module in more + lines)
        text = PRELUDE.format(host=os.getpid(), other=pid, folder=folder, more=more, attack=lines, modules=modules)
        guest = invited(text, 0.3 if "0.3 s" in word else 60.0)
        words = ""
        try:
            for _ in range(1 + (names[0] in AFTERWARDS)):
                action = guest(view, 0)
                words = f"answered {action!r}" * bool(match.state.refusal(0, action))
        except (Failed, TimeIsUp) as error:
            words = str(error)
        harm = ["something has changed"] * (standing() != before)
        try:
            harm += ["the opponent plays something else"] * (opponent(view, 0) != right)
        except BaseException as error:
            harm.append(f"the opponent: {error!r}")
        guest.close()
        printed = dict(line.split(": ", 1) for line in guest.said.splitlines() if ": " in line)
        for name in names:
            said = printed.get(name, "") if len(names) > 1 else guest.said
            results[name] = {"said": said, "words": words, "harm": harm}
    opponent.close()
    print(json.dumps(results))


if __name__ == "__main__":
    with tempfile.TemporaryDirectory(prefix="league-") as folder:
        league(sys.argv[1:], folder)
