"""What a process can have the kernel keep it from, for good. On Linux that needs no rights.

Landlock says which files can be read, seccomp which calls of the kernel can be made and with what; nothing that runs in
the process afterwards, machine code of its own included, can take that back. Both are asked for by ctypes.
"""

import ctypes
import errno
import os
import platform
import struct
import sys
import sysconfig
from contextlib import suppress

if sys.platform != "win32" and sys.platform != "emscripten":  # a browser has none either
    import resource

# The layers of the box, as far as the system has them.
HOOK, LIMITS, LANDLOCK, SECCOMP = "hook", "limits", "landlock", "seccomp"
MEGABYTE = 1 << 20
PACKAGE = os.path.dirname(os.path.abspath(str(sys.modules[__name__.partition(".")[0]].__file__)))
DESCRIPTORS = 32  # that can be open; Landlock needs one for itself for a moment

# The calls of the kernel that can be made, with their numbers for x86-64 and for aarch64 ("-": there is no such call).
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
"""  # what exists, and how large it is
CAREFUL = """
open 2 -, openat 257 56, openat2 437 437, clone3 435 435, fcntl 72 25, ioctl 16 29, tgkill 234 131, prlimit64 302 261,
clock_gettime 228 113, clock_getres 229 114, clock_nanosleep 230 115, sched_getaffinity 204 123
"""  # what depends on what it is given, or "is not there"
MACHINES = {"x86_64": (0, 0xC000003E), "aarch64": (1, 0xC00000B7)}  # which number, and what a filter calls the machine
NEWEST = 456  # a call with a higher number "is not there", and a C library does without it

ALLOW, REFUSE, KILL = 0x7FFF0000, 0x00050000, 0x80000000  # what a filter answers
LOAD, EQUAL, GREATER, SOME, ANSWER = 0x20, 0x15, 0x25, 0x45, 0x06  # its instructions
LARGE, NO_LINK = 0o100000, 0o400000  # O_LARGEFILE and O_NOFOLLOW of x86-64; on aarch64 it is the other way round
OF_DESCRIPTORS = 0, 1, 2, 3, 1030  # of fcntl: F_DUPFD, F_GETFD, F_SETFD, F_GETFL, F_DUPFD_CLOEXEC
CLOCKS = range(12)  # of the machine, of this process and of this thread; those of other processes are below 0
ASKED_OF_DEVICES = 0x5401, 0x5413, 0x541B, 0x5450, 0x5451  # of ioctl: is it a terminal, how large, what waits, ...
FilterLine = tuple[int, int, int, int]


def available() -> tuple[str, ...]:
    """The layers that this system has."""
    found = [HOOK] if sys.platform == "win32" else [HOOK, LIMITS]
    if sys.platform == "linux" and platform.machine() in MACHINES:
        found += [LANDLOCK] * bool(landlock_version()) + [SECCOMP] * has_seccomp()
    return tuple(found)


def readable() -> list[str]:
    """The folders that agents can read: Python, what is installed, and this package; not the rest of sys.path."""
    places = {sysconfig.get_path(name) for name in ("stdlib", "platstdlib", "purelib", "platlib")}
    places |= {os.path.dirname(sysconfig.get_path("stdlib"))}  # the shared libraries of Python itself
    places |= {folder for folder in sys.path if os.path.basename(folder) in ("site-packages", "dist-packages")}
    places |= {PACKAGE}
    if os.name == "posix":
        places |= {"/usr/lib", "/lib", "/lib64", "/usr/local/lib", "/usr/share/zoneinfo"}
    return sorted({os.path.realpath(place) for place in places})


READABLE_FILES = "/etc/ld.so.cache", "/etc/localtime", "/dev/null", "/dev/urandom"


def lock(layers: tuple[str, ...], megabytes: int, said: int, places: tuple[str, ...]) -> None:
    """Lock this process in, for good, with so much memory, files of so many bytes, and these to read; or fail."""
    if LIMITS in layers:
        limit(megabytes, said)
    if LANDLOCK not in layers and SECCOMP not in layers:
        return
    if len(os.listdir("/proc/self/task")) > 1:
        raise RuntimeError("its imports start threads, which agents may not have")
    program = filter_program(opens=LANDLOCK in layers)
    made = -1
    if LANDLOCK in layers:  # nothing but these is readable, nothing written, and no other process reached
        made = rules(~0, BIND | CONNECT, READ_FILE | READ_FOLDER, (*places, *READABLE_FILES))
    control(PR_SET_DUMPABLE, 0)
    call("capset", struct.pack("Ii", 0x20080522, 0), bytes(24))  # no right that others have not, also as root
    control(PR_SET_NO_NEW_PRIVS, 1)
    if LANDLOCK in layers:
        restrict(made)
    if SECCOMP in layers:  # every call of this process goes through the filter
        kept = ctypes.create_string_buffer(program)
        control(PR_SET_SECCOMP, 2, ctypes.byref(Program(len(program) // 8, ctypes.addressof(kept))))


def limit(megabytes: int, said: int) -> None:
    """What the system counts: memory, the size of files, processes and threads (not root's); and no core dump."""
    most = {"AS": megabytes * MEGABYTE, "FSIZE": said, "NOFILE": DESCRIPTORS} | dict.fromkeys(
        ("CORE", "NPROC", "MEMLOCK", "MSGQUEUE", "NICE", "RTPRIO"), 0
    )
    for name, number in most.items():
        with suppress(AttributeError, OSError, ValueError):
            resource.setrlimit(getattr(resource, f"RLIMIT_{name}"), (number, number))


# Asking the kernel

PR_SET_PDEATHSIG, PR_SET_DUMPABLE, PR_SET_SECCOMP, PR_SET_NO_NEW_PRIVS = 1, 4, 22, 38
LANDLOCK_CREATE, LANDLOCK_ADD, LANDLOCK_RESTRICT = 444, 445, 446  # the same on every machine


def call(function: str, *arguments: object) -> int:
    """What a function of the C library answers; its error, if it fails."""
    result: int = getattr(ctypes.CDLL(None, use_errno=True), function)(*arguments)
    if result < 0:
        raise OSError(ctypes.get_errno(), f"{function}: {os.strerror(ctypes.get_errno())}")
    return result


def control(what: int, *more: object) -> None:
    """Change something about this process, by prctl."""
    call("prctl", what, *(ctypes.c_ulong(one) if isinstance(one, int) else one for one in (*more, 0, 0, 0)[:4]))


# Landlock

READ_FILE, READ_FOLDER = 1 << 2, 1 << 3
WRITES = 1 << 1 | sum(1 << right for right in range(4, 15))  # write, remove, make things of all kinds, move, cut off
OF_A_FILE = 1 << 1 | READ_FILE | 1 << 14  # what there is to do with a file
BIND, CONNECT = 1, 2  # by TCP
RIGHTS = {1: 13, 2: 14, 3: 15, 4: 15}  # how many rights about files each version knows; 16 since then


def landlock_version() -> int:
    """Which Landlock this kernel has; 0 if none."""
    with suppress(OSError, AttributeError):
        return call("syscall", ctypes.c_long(LANDLOCK_CREATE), None, ctypes.c_size_t(0), ctypes.c_uint(1))
    return 0


def write_only_in(*places: str) -> None:
    """Have this process and all that it begins write nothing elsewhere, reach no server, and end no other process.

    It can still read whatever its user can, and be reached itself. Without Landlock nothing is changed.
    """
    if LANDLOCK in available():
        control(PR_SET_NO_NEW_PRIVS, 1)
        restrict(rules(WRITES, CONNECT, WRITES, places))


def rules(files: int, network: int, rights: int, places: tuple[str, ...]) -> int:
    """Rules that refuse these kinds of use of files and TCP, and reaching other processes, but for rights at places."""
    version = landlock_version()
    known = (1 << RIGHTS.get(version, 16)) - 1
    attributes = struct.pack("QQQ", files & known, network, 3)[: 8 if version < 4 else 16 if version < 6 else 24]
    size, none = ctypes.c_size_t(len(attributes)), ctypes.c_uint(0)
    made = call("syscall", ctypes.c_long(LANDLOCK_CREATE), attributes, size, none)
    for place in places:
        with suppress(FileNotFoundError, PermissionError):
            found = os.open(place, os.O_PATH | os.O_CLOEXEC)
            here = rights & known & (~0 if os.path.isdir(place) else OF_A_FILE)
            rule = struct.pack("=Qi", here, found)
            call("syscall", ctypes.c_long(LANDLOCK_ADD), ctypes.c_int(made), ctypes.c_int(1), rule, none)
            os.close(found)
    return made


def restrict(made: int) -> None:
    """Have these rules hold for this thread and all that it begins."""
    call("syscall", ctypes.c_long(LANDLOCK_RESTRICT), ctypes.c_int(made), ctypes.c_uint(0))
    os.close(made)


# seccomp


class Program(ctypes.Structure):
    """A filter, as the kernel takes it."""

    _fields_ = [("length", ctypes.c_ushort), ("lines", ctypes.c_void_p)]


def has_seccomp() -> bool:
    """Whether this kernel takes filters: given none, it complains of that, and of nothing else."""
    try:
        control(PR_SET_SECCOMP, 2, 0)
    except OSError as error:
        return error.errno == errno.EFAULT
    return False


def numbers(calls: str) -> dict[str, int]:
    """The calls of a table with their numbers on this machine."""
    column = MACHINES[platform.machine()][0]
    rows = (row.split() for row in calls.split(","))
    return {name: int(known[column]) for name, *known in rows if known[column] != "-"}


def filter_program(opens: bool) -> bytes:
    """The filter for this very process, which refuses what is not listed; without `opens` no file can be looked for."""
    refused, missing = answer(REFUSE | errno.EPERM), answer(REFUSE | errno.ENOSYS)
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
    lines += [(GREATER, 0, 1, NEWEST), *missing, *refused]
    return b"".join(struct.pack("HBBI", *line) for line in lines)


def answer(what: int) -> list[FilterLine]:
    """The end of a way through the filter."""
    return [(ANSWER, 0, 0, what)]


def low(argument: int) -> FilterLine:
    """Take the lower half of an argument of the call; -1: what machine it is made for."""
    return LOAD, 0, 0, 4 if argument < 0 else 16 + 8 * argument


def reading(argument: int, opens: bool) -> list[FilterLine]:
    """Only such flags as a file is read with."""
    flags = os.O_CLOEXEC | os.O_DIRECTORY | os.O_NONBLOCK | os.O_NOCTTY | LARGE | NO_LINK
    refused = answer(REFUSE | errno.EACCES)
    return [low(argument), (SOME, 1, 0, 0xFFFFFFFF & ~flags), *answer(ALLOW), *refused] if opens else refused


def one_of(argument: int, *values: int) -> list[FilterLine]:
    """Only with one of these values."""
    allowed = [line for value in values for line in ((EQUAL, 0, 1, value), *answer(ALLOW))]
    return [low(argument), *allowed, *answer(REFUSE | errno.EPERM)]


def asking() -> list[FilterLine]:
    """Only of this process, and without new limits."""
    refused = answer(REFUSE | errno.EPERM)
    lines: list[FilterLine] = []
    for half in (16, 16 + 16, 16 + 20):  # whose limits, and both halves of where new ones are
        lines += [(LOAD, 0, 0, half), (EQUAL, 1, 0, 0), *refused]
    return [*lines, *answer(ALLOW)]
