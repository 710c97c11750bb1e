//! Peak memory of this process: the one place of the crate that depends on the operating system.

/// Peak resident memory in MiB since the process began; 0 where the system does not tell it this way.
#[cfg(target_os = "linux")]
pub(crate) fn peak_mb() -> f64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let kib = status.lines().find_map(|l| {
        l.strip_prefix("VmHWM:")?
            .split_whitespace()
            .next()?
            .parse::<f64>()
            .ok()
    });
    kib.map_or(0.0, |kib| kib / 1024.0)
}

/// Peak resident memory in MiB since the process began; 0 where the system does not tell it this way.
#[cfg(not(target_os = "linux"))]
pub(crate) fn peak_mb() -> f64 {
    0.0
}
