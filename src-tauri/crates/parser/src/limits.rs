//! Limits that the parser program sets on itself before it touches a file.

/// Limits address space and processor time, forbids core dumps, and asks the system to kill this process when its
/// parent ends. On a system without such limits, only the parent's time limit applies.
///
/// # Errors
/// When the system refuses a limit.
#[cfg(unix)]
pub fn apply(memory_bytes: u64, cpu_seconds: u64) -> std::io::Result<()> {
    use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
    let cap = |resource, wanted: u64| {
        // A hard limit that is lower already stays.
        let wanted = getrlimit(resource)
            .maximum
            .map_or(wanted, |hard| hard.min(wanted));
        setrlimit(
            resource,
            Rlimit {
                current: Some(wanted),
                maximum: Some(wanted),
            },
        )
    };
    cap(Resource::Core, 0)?;
    cap(Resource::Cpu, cpu_seconds)?;
    // macOS does not honour a limit of address space.
    #[cfg(not(target_vendor = "apple"))]
    cap(Resource::As, memory_bytes)?;
    #[cfg(target_vendor = "apple")]
    let _ = memory_bytes;
    #[cfg(target_os = "linux")]
    rustix::process::set_parent_process_death_signal(Some(rustix::process::Signal::KILL))?;
    Ok(())
}

/// Does nothing, because no limits are known on this system.
///
/// # Errors
/// Never.
#[cfg(not(unix))]
pub fn apply(_memory_bytes: u64, _cpu_seconds: u64) -> std::io::Result<()> {
    Ok(())
}
