//! What differs between operating systems: signals and memory figures.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// Set once the system asks this process to end.
#[derive(Clone, Debug, Default)]
pub struct StopSignal(Arc<AtomicBool>);

impl StopSignal {
    /// Listens to SIGTERM and SIGINT. Ignores SIGHUP, because a run must outlive its terminal. Where signals are not
    /// available, the control file can still stop a run.
    pub fn listen() -> Self {
        let signal = Self::default();
        #[cfg(unix)]
        {
            use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
            for number in [SIGTERM, SIGINT] {
                let _ = signal_hook::flag::register(number, Arc::clone(&signal.0));
            }
            let _ = signal_hook::flag::register(SIGHUP, Arc::new(AtomicBool::new(false)));
        }
        signal
    }

    /// Whether the process was asked to end.
    pub fn asked(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }

    /// Asks, as a signal would.
    pub fn ask(&self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

/// Ends this process now: nothing that is under way is brought to its end.
pub(crate) fn leave_at_once(status: i32) -> ! {
    #[cfg(unix)]
    signal_hook::low_level::exit(status);
    #[cfg(not(unix))]
    std::process::exit(status)
}

/// Whether the process that started this one still runs, as far as the system reports it.
#[derive(Clone, Copy, Debug)]
pub struct Parent(u32);

impl Parent {
    /// The identity of this process's parent now.
    pub fn now() -> Self {
        #[cfg(unix)]
        {
            Self(std::os::unix::process::parent_id())
        }
        #[cfg(not(unix))]
        {
            Self(0)
        }
    }

    /// Whether it is gone: a process whose parent ends gets another one.
    pub fn is_gone(self) -> bool {
        #[cfg(unix)]
        {
            std::os::unix::process::parent_id() != self.0
        }
        #[cfg(not(unix))]
        {
            false
        }
    }
}

/// Whether standard input is a pipe, which ends when the process at its other end does.
pub(crate) fn input_is_pipe() -> bool {
    #[cfg(unix)]
    {
        use std::os::unix::fs::FileTypeExt;
        let kind = std::fs::metadata("/dev/stdin").map(|data| data.file_type());
        kind.is_ok_and(|kind| kind.is_fifo() || kind.is_socket())
    }
    #[cfg(not(unix))]
    {
        use std::io::IsTerminal;
        !std::io::stdin().is_terminal()
    }
}

/// Resident memory of this process in MiB, where the system reports it.
pub fn resident_mb() -> Option<f64> {
    status_mb("VmRSS:")
}

/// Largest resident memory of this process so far in MiB, where the system reports it; otherwise 0.
pub fn peak_resident_mb() -> f64 {
    status_mb("VmHWM:").unwrap_or(0.0)
}

/// Memory in MiB that this process may still use: the free memory, or the rest of a control group's limit. `None` if
/// the system does not report it, and always for a GPU.
pub fn available_mb(device: tch::Device) -> Option<f64> {
    if device != tch::Device::Cpu {
        return None;
    }
    let text = std::fs::read_to_string("/proc/meminfo").ok()?;
    let line = text
        .lines()
        .find_map(|line| line.strip_prefix("MemAvailable:"))?;
    let free = line.split_whitespace().next()?.parse::<f64>().ok()? / 1024.0;
    Some(group_left_mb().map_or(free, |left| left.min(free)))
}

/// The rest of the limit of this process's control group (version 2, then version 1).
fn group_left_mb() -> Option<f64> {
    let number = |path: &str| {
        std::fs::read_to_string(path)
            .ok()?
            .trim()
            .parse::<f64>()
            .ok()
    };
    let group = "/sys/fs/cgroup";
    let left = |limit: &str, used: &str| {
        Some((number(&format!("{group}/{limit}"))? - number(&format!("{group}/{used}"))?).max(0.0))
    };
    let bytes = left("memory.max", "memory.current").or_else(|| {
        left(
            "memory/memory.limit_in_bytes",
            "memory/memory.usage_in_bytes",
        )
    })?;
    Some(bytes / f64::from(1 << 20))
}

/// Processor time of all threads so far, in seconds to two decimals, where the system reports it; otherwise 0.
pub fn processor_seconds() -> f64 {
    seconds_in(&std::fs::read_to_string("/proc/self/stat").unwrap_or_default())
}

/// The file in which the system reports the processor time of one thread.
#[derive(Debug)]
pub struct ThreadClock(PathBuf);

impl ThreadClock {
    /// The processor time of the calling thread. `None` if the system does not report it.
    pub(crate) fn of_this_thread() -> Option<Self> {
        let thread = std::fs::read_link("/proc/thread-self").ok()?;
        Some(Self(Path::new("/proc").join(thread).join("stat")))
    }

    /// The processor time of the thread so far, in hundredths of a second. `None` once the thread has ended.
    pub fn elapsed(&self) -> Option<Duration> {
        let stat = std::fs::read_to_string(&self.0).ok()?;
        Some(Duration::from_secs_f64(seconds_in(&stat)))
    }
}

/// The processor time in what the system says of a process or of a thread.
fn seconds_in(stat: &str) -> f64 {
    let after = stat.rsplit(')').next().unwrap_or_default();
    after
        .split_whitespace()
        .skip(11)
        .take(2)
        .filter_map(|ticks| ticks.parse::<f64>().ok())
        .sum::<f64>()
        / 100.0
}

#[cfg(target_os = "linux")]
fn status_mb(key: &str) -> Option<f64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find(|line| line.starts_with(key))?;
    let kib: f64 = line.split_whitespace().nth(1)?.parse().ok()?;
    Some(kib / 1024.0)
}

#[cfg(not(target_os = "linux"))]
fn status_mb(_key: &str) -> Option<f64> {
    None
}

/// The folder from which this process has loaded a library. `None` where the system does not tell.
pub(crate) fn loaded_from(library: &str) -> Option<PathBuf> {
    folder_in(&std::fs::read_to_string("/proc/self/maps").ok()?, library)
}

/// The folder of a library in what Linux says of the files that a process has mapped.
fn folder_in(maps: &str, library: &str) -> Option<PathBuf> {
    maps.lines()
        .filter_map(|line| line.find('/').and_then(|at| line.get(at..)))
        .map(Path::new)
        .find(|path| path.file_name().is_some_and(|name| name == library))
        .and_then(Path::parent)
        .map(Path::to_path_buf)
}

/// Processors that this process may use.
pub fn processors() -> usize {
    std::thread::available_parallelism().map_or(1, std::num::NonZero::get)
}

/// File name of libtorch's CUDA half.
pub(crate) const CUDA_LIBRARY: &str = if cfg!(windows) {
    "torch_cuda.dll"
} else {
    "libtorch_cuda.so"
};

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;

    #[test]
    fn memory_is_measured_and_the_peak_is_no_less() {
        let resident = resident_mb().unwrap();
        assert!(resident > 1.0);
        assert!(peak_resident_mb() >= resident * 0.9);
    }

    #[test]
    fn a_library_is_where_it_was_mapped_from() {
        let maps = "7f0 r-xp 0 08:01 7 /usr/lib/libtorch_cpu.so.6\n\
                    7f1 rw-p 0 00:00 0 \n\
                    7f2 rw-p 0 00:00 0 [heap]\n\
                    7f3 r--p 0 08:01 9 /opt/a b/lib/libtorch_cpu.so\n\
                    7f4 r-xp 0 08:01 8 /usr/lib/libc10.so\n";
        for (library, folder) in [
            ("libtorch_cpu.so", Some("/opt/a b/lib")),
            ("libc10.so", Some("/usr/lib")),
            ("libtorch.so", None),
        ] {
            assert_eq!(folder_in(maps, library).as_deref(), folder.map(Path::new));
        }
    }
}
