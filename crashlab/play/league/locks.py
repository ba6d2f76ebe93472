"""Permanent restrictions of a process by the kernel; on Linux they need no privileges.

Landlock restricts access to files, seccomp restricts system calls and their arguments. No code in the process can lift
them afterwards, not even machine code. Both are requested through ctypes.
"""

import ctypes
import errno
import os
import platform
import struct
import sys
import sysconfig
from contextlib import suppress

if sys.platform != "win32" and sys.platform != "emscripten":  # Windows and browsers have no such limits
    import resource

# The layers of the sandbox, if the system supports them.
HOOK, LIMITS, LANDLOCK, SECCOMP = "hook", "limits", "landlock", "seccomp"
MEGABYTE = 1 << 20
PACKAGE = os.path.dirname(os.path.abspath(str(sys.modules[__name__.partition(".")[0]].__file__)))
DESCRIPTORS = 32  # most open files; Landlock temporarily needs one

# Allowed system calls, with their numbers for x86-64 and aarch64 ("-" if missing).
CALLS = """
read 0 63, write 1 64, readv 19 65, writev 20 66, pread64 17 67, close 3 57, lseek 8 62, dup 32 23, fstat 5 80,
mmap 9 222, mprotect 10 226, munmap 11 215, mremap 25 216, brk 12 214, madvise 28 233, membarrier 324 283,
rt_sigaction 13 134, rt_sigprocmask 14 135, rt_sigreturn 15 139, rt_sigpending 127 136, rt_sigtimedwait 128 137,
rt_sigsuspend 130 133, sigaltstack 131 132, pause 34 -, restart_syscall 219 128, getitimer 36 102, setitimer 38 103,
alarm 37 -, select 23 -, pselect6 270 72, poll 7 -, ppoll 271 73, futex 202 98, set_robust_list 273 99, rseq 334 293,
sched_yield 24 124, getcpu 309 168, nanosleep 35 101, gettimeofday 96 169, time 201 -, times 100 153, getrusage 98 165,
getpid 39 172, gettid 186 178, getppid 110 173, getuid 102 174, geteuid 107 175, getgid 104 176, getegid 108 177,
getgroups 115 158, uname 63 160, sysinfo 99 179, getrlimit 97 163, getrandom 318 278, exit 60 93, exit_group 231 94
"""
LOOKS = """
stat 4 -, lstat 6 -, newfstatat 262 79, statx 332 291, access 21 -, faccessat 269 48, faccessat2 439 439, getcwd 79 17,
readlink 89 -, readlinkat 267 78, getdents 78 -, getdents64 217 61, statfs 137 43, fstatfs 138 44, getxattr 191 8
"""  # calls that look up files
CAREFUL = """
open 2 -, openat 257 56, openat2 437 437, clone3 435 435, fcntl 72 25, ioctl 16 29, tgkill 234 131, prlimit64 302 261,
clock_gettime 228 113, clock_getres 229 114, clock_nanosleep 230 115, sched_getaffinity 204 123
"""  # calls allowed with certain arguments only, or reported as missing
MACHINES = {
    "x86_64": (0, 0xC000003E),
    "aarch64": (1, 0xC00000B7),
}  # the column in the tables above, and the machine's code in a filter
NEWEST = 456  # calls with higher numbers are reported as missing, so that the C library does without them

ALLOW, REFUSE, KILL = 0x7FFF0000, 0x00050000, 0x80000000  # results of a filter
LOAD, EQUAL, GREATER, SOME, ANSWER = 0x20, 0x15, 0x25, 0x45, 0x06  # instructions of a filter
LARGE, NO_LINK = 0o100000, 0o400000  # O_LARGEFILE and O_NOFOLLOW on x86-64, swapped on aarch64
OF_DESCRIPTORS = 0, 1, 2, 3, 1030  # allowed commands of fcntl: F_DUPFD, F_GETFD, F_SETFD, F_GETFL, F_DUPFD_CLOEXEC
CLOCKS = range(12)  # clocks of the machine, this process and this thread; those of other processes are negative
ASKED_OF_DEVICES = (
    0x5401,
    0x5413,
    0x541B,
    0x5450,
    0x5451,
)  # allowed requests of ioctl: terminal attributes, size, pending input, ...
FilterLine = tuple[int, int, int, int]


def available() -> tuple[str, ...]:
    """Return the layers that the system supports."""
    layers = [HOOK] if sys.platform == "win32" else [HOOK, LIMITS]
    if sys.platform == "linux" and platform.machine() in MACHINES:
        layers += [LANDLOCK] * bool(landlock_version()) + [SECCOMP] * has_seccomp()
    return tuple(layers)


def readable() -> list[str]:
    """Return the folders that agents can read: Python, installed packages, and this package."""
    places = {sysconfig.get_path(name) for name in ("stdlib", "platstdlib", "purelib", "platlib")}
    places |= {os.path.dirname(sysconfig.get_path("stdlib"))}  # the shared libraries of Python itself
    places |= {folder for folder in sys.path if os.path.basename(folder) in ("site-packages", "dist-packages")}
    places |= {PACKAGE}
    if os.name == "posix":
        places |= {"/usr/lib", "/lib", "/lib64", "/usr/local/lib", "/usr/share/zoneinfo"}
    return sorted({os.path.realpath(place) for place in places})


READABLE_FILES = "/etc/ld.so.cache", "/etc/localtime", "/dev/null", "/dev/urandom"


def lock(layers: tuple[str, ...], megabytes: int, output_size: int, places: tuple[str, ...]) -> None:
    """Restrict this process permanently: its memory, the size of its files, and the readable places."""
    if LIMITS in layers:
        limit(megabytes, output_size)
    if LANDLOCK not in layers and SECCOMP not in layers:
        return
    if len(os.listdir("/proc/self/task")) > 1:
        raise RuntimeError("its imports start threads, but agents must not have threads")
    program = filter_program(opens=LANDLOCK in layers)
    ruleset = -1
    if LANDLOCK in layers:  # only these places are readable, none writable, and no other process reachable
        ruleset = rules(~0, BIND | CONNECT, READ_FILE | READ_FOLDER, (*places, *READABLE_FILES))
    control(PR_SET_DUMPABLE, 0)
    call("capset", struct.pack("Ii", 0x20080522, 0), bytes(24))  # drops all capabilities, even of root
    control(PR_SET_NO_NEW_PRIVS, 1)
    if LANDLOCK in layers:
        restrict(ruleset)
    if SECCOMP in layers:  # filters every system call from here on
        buffer = ctypes.create_string_buffer(program)
        control(PR_SET_SECCOMP, 2, ctypes.byref(Program(len(program) // 8, ctypes.addressof(buffer))))


def limit(megabytes: int, output_size: int) -> None:
    """Limit memory, file sizes and open files; forbid core dumps and, except for root, new processes and threads."""
    most = {"AS": megabytes * MEGABYTE, "FSIZE": output_size, "NOFILE": DESCRIPTORS} | dict.fromkeys(
        ("CORE", "NPROC", "MEMLOCK", "MSGQUEUE", "NICE", "RTPRIO"), 0
    )
    for name, number in most.items():
        with suppress(AttributeError, OSError, ValueError):
            resource.setrlimit(getattr(resource, f"RLIMIT_{name}"), (number, number))


# System calls

PR_SET_PDEATHSIG, PR_SET_DUMPABLE, PR_SET_SECCOMP, PR_SET_NO_NEW_PRIVS = 1, 4, 22, 38
LANDLOCK_CREATE, LANDLOCK_ADD, LANDLOCK_RESTRICT = 444, 445, 446  # equal on all machines


def call(function: str, *arguments: object) -> int:
    """Call a function of the C library; raise OSError if it fails."""
    result: int = getattr(ctypes.CDLL(None, use_errno=True), function)(*arguments)
    if result < 0:
        raise OSError(ctypes.get_errno(), f"{function}: {os.strerror(ctypes.get_errno())}")
    return result


def control(what: int, *more: object) -> None:
    """Call prctl for this process."""
    call("prctl", what, *(ctypes.c_ulong(one) if isinstance(one, int) else one for one in (*more, 0, 0, 0)[:4]))


# Landlock

READ_FILE, READ_FOLDER = 1 << 2, 1 << 3
WRITES = 1 << 1 | sum(1 << right for right in range(4, 15))  # write, remove, create, move, truncate
OF_A_FILE = 1 << 1 | READ_FILE | 1 << 14  # rights that apply to files
BIND, CONNECT = 1, 2  # TCP rights
RIGHTS = {1: 13, 2: 14, 3: 15, 4: 15}  # number of file rights by version; 16 in later ones


def landlock_version() -> int:
    """Return the version of Landlock; 0 if it is not supported."""
    with suppress(OSError, AttributeError):
        return call("syscall", ctypes.c_long(LANDLOCK_CREATE), None, ctypes.c_size_t(0), ctypes.c_uint(1))
    return 0


def write_only_in(*places: str) -> None:
    """Forbid this process and its children to write outside of `places`, to connect, and to signal other processes.

    They can still read all files of their user, and accept connections. Without Landlock this does nothing.
    """
    if LANDLOCK in available():
        control(PR_SET_NO_NEW_PRIVS, 1)
        restrict(rules(WRITES, CONNECT, WRITES, places))


def rules(files: int, network: int, rights: int, places: tuple[str, ...]) -> int:
    """Create Landlock rules that refuse file rights, TCP rights and signals; return their descriptor.

    The file rights in `rights` remain allowed at `places`.
    """
    version = landlock_version()
    mask = (1 << RIGHTS.get(version, 16)) - 1
    attributes = struct.pack("QQQ", files & mask, network, 3)[: 8 if version < 4 else 16 if version < 6 else 24]
    size, none = ctypes.c_size_t(len(attributes)), ctypes.c_uint(0)
    ruleset = call("syscall", ctypes.c_long(LANDLOCK_CREATE), attributes, size, none)
    for place in places:
        with suppress(FileNotFoundError, PermissionError):
            folder = os.open(place, os.O_PATH | os.O_CLOEXEC)
            here = rights & mask & (~0 if os.path.isdir(place) else OF_A_FILE)
            rule = struct.pack("=Qi", here, folder)
            call("syscall", ctypes.c_long(LANDLOCK_ADD), ctypes.c_int(ruleset), ctypes.c_int(1), rule, none)
            os.close(folder)
    return ruleset


def restrict(ruleset: int) -> None:
    """Apply rules to this thread and its children."""
    call("syscall", ctypes.c_long(LANDLOCK_RESTRICT), ctypes.c_int(ruleset), ctypes.c_uint(0))
    os.close(ruleset)


# seccomp


class Program(ctypes.Structure):
    """A filter in the kernel's format."""

    _fields_ = [("length", ctypes.c_ushort), ("lines", ctypes.c_void_p)]


def has_seccomp() -> bool:
    """Return whether the kernel supports filters; if so, a request without a filter fails with EFAULT."""
    try:
        control(PR_SET_SECCOMP, 2, 0)
    except OSError as error:
        return error.errno == errno.EFAULT
    return False


def numbers(calls: str) -> dict[str, int]:
    """Return the calls of a table with their numbers on this machine."""
    column = MACHINES[platform.machine()][0]
    rows = (row.split() for row in calls.split(","))
    return {name: int(columns[column]) for name, *columns in rows if columns[column] != "-"}


def filter_program(opens: bool) -> bytes:
    """Return the filter for this process, which refuses unlisted calls; without `opens` also all file lookups."""
    refusal, missing = answer(REFUSE | errno.EPERM), answer(REFUSE | errno.ENOSYS)
    itself, careful = os.getpid(), numbers(CAREFUL)
    bodies: dict[str, list[FilterLine]] = {
        "open": reading(1, opens),
        "openat": reading(2, opens),
        "fcntl": one_of(1, *OF_DESCRIPTORS),
        "ioctl": one_of(1, *ASKED_OF_DEVICES),
        "tgkill": one_of(0, itself),
        "prlimit64": asking(),
        **dict.fromkeys(("clock_gettime", "clock_getres", "clock_nanosleep"), one_of(0, *CLOCKS)),
        "sched_getaffinity": one_of(0, 0, itself),
        "clone3": missing,
        "openat2": missing,
    }
    lines = [low(-1), (EQUAL, 1, 0, MACHINES[platform.machine()][1]), *answer(KILL), (LOAD, 0, 0, 0)]
    for number in numbers(CALLS + ("," + LOOKS if opens else "")).values():
        lines += [(EQUAL, 0, 1, number), *answer(ALLOW)]
    for name, number in careful.items():
        lines += [(EQUAL, 0, len(bodies[name]), number), *bodies[name]]
    lines += [(GREATER, 0, 1, NEWEST), *missing, *refusal]
    return b"".join(struct.pack("HBBI", *line) for line in lines)


def answer(what: int) -> list[FilterLine]:
    """Return the instruction that ends a filter with a result."""
    return [(ANSWER, 0, 0, what)]


def low(argument: int) -> FilterLine:
    """Return the instruction that loads the lower half of an argument; -1 loads the machine's code."""
    return LOAD, 0, 0, 4 if argument < 0 else 16 + 8 * argument


def reading(argument: int, opens: bool) -> list[FilterLine]:
    """Return the instructions that allow a call only with flags for reading; if `opens` is false, they refuse it."""
    flags = os.O_CLOEXEC | os.O_DIRECTORY | os.O_NONBLOCK | os.O_NOCTTY | LARGE | NO_LINK
    refusal = answer(REFUSE | errno.EACCES)
    return [low(argument), (SOME, 1, 0, 0xFFFFFFFF & ~flags), *answer(ALLOW), *refusal] if opens else refusal


def one_of(argument: int, *values: int) -> list[FilterLine]:
    """Return the instructions that allow a call only with these values of an argument."""
    tests = [line for value in values for line in ((EQUAL, 0, 1, value), *answer(ALLOW))]
    return [low(argument), *tests, *answer(REFUSE | errno.EPERM)]


def asking() -> list[FilterLine]:
    """Return the instructions that allow only queries of this process's limits."""
    refusal = answer(REFUSE | errno.EPERM)
    lines: list[FilterLine] = []
    for half in (16, 16 + 16, 16 + 20):  # the process, and both halves of the pointer to new limits
        lines += [(LOAD, 0, 0, half), (EQUAL, 1, 0, 0), *refusal]
    return [*lines, *answer(ALLOW)]
