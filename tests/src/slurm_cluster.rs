//! A real Slurm on this machine, in a namespace with nothing but loopback: `cluster.sh` starts it, and it ends with us.
#![allow(clippy::panic)] // A test that cannot start its cluster has failed.

use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

pub struct SlurmCluster {
    folder: tempfile::TempDir,
    root: Child,
    inside: String,
}

impl SlurmCluster {
    /// Starts a cluster. `None`, with a message, if Slurm is not installed or may not be started.
    pub fn start() -> Option<Self> {
        for program in ["slurmctld", "slurmd", "munged"] {
            if !Path::new("/usr/sbin").join(program).is_file() {
                lexforge_needs::missing(format!(
                    "{program} is not installed (make setup installs it)"
                ));
                return None;
            }
        }
        let user = Command::new("id").arg("-u").output();
        if user.is_ok_and(|out| out.stdout != b"0\n") {
            lexforge_needs::unavailable("a cluster of our own needs the rights of root");
            return None;
        }
        let folder = tempfile::tempdir().unwrap_or_else(|e| panic!("no temporary folder: {e}"));
        let opened = Command::new("chmod").arg("755").arg(folder.path()).status();
        assert!(opened.is_ok_and(|s| s.success()));
        let script = crate::repository::root().join("tests/src/cluster.sh");
        let log =
            std::fs::File::create(folder.path().join("out")).unwrap_or_else(|e| panic!("{e}"));
        let errors = log.try_clone().unwrap_or_else(|e| panic!("{e}"));
        let root = Command::new("unshare")
            .args([
                "-m",
                "-u",
                "-n",
                "-i",
                "-p",
                "-f",
                "--mount-proc",
                "--kill-child",
                "sh",
            ])
            .arg(script)
            .arg(folder.path())
            .stdin(Stdio::piped())
            .stdout(log)
            .stderr(errors)
            .spawn()
            .unwrap_or_else(|e| panic!("unshare: {e}"));
        let mut cluster = Self {
            folder,
            root,
            inside: String::new(),
        };
        let since = Instant::now();
        loop {
            if let Some(inside) = cluster.child() {
                cluster.inside = inside;
                if cluster.run("sinfo --noheader").contains("idle") {
                    break;
                }
            }
            let out = std::fs::read_to_string(cluster.path("out")).unwrap_or_default();
            // Some containers forbid namespaces, even to root. The first process of the cluster's namespace then ends
            // at once. On a slow machine this process lives, and the cluster only takes longer to start.
            let ended = cluster.root.try_wait().is_ok_and(|status| status.is_some());
            if ended || since.elapsed() > Duration::from_secs(120) {
                lexforge_needs::unavailable(format!("the cluster does not start here: {out}"));
                return None;
            }
            std::thread::sleep(Duration::from_millis(100));
        }
        cluster.write_ssh();
        Some(cluster)
    }

    fn child(&self) -> Option<String> {
        let pid = self.root.id();
        let children = std::fs::read_to_string(format!("/proc/{pid}/task/{pid}/children")).ok()?;
        children.split_whitespace().next().map(str::to_owned)
    }

    /// Writes a program that is used as `ssh`. For every host it gives a shell within the cluster.
    fn write_ssh(&self) {
        let text = format!(
            "#!/bin/sh\nexec nsenter -t {} -m -u -n -i -p -- env PATH=\"{}:$PATH\" sh\n",
            self.inside,
            self.path("bin").display()
        );
        self.program("ssh", &text);
    }

    fn program(&self, name: &str, text: &str) {
        let path = self.path(name);
        let written = path
            .parent()
            .map_or(Ok(()), std::fs::create_dir_all)
            .and_then(|()| std::fs::write(&path, text));
        written.unwrap_or_else(|e| panic!("{}: {e}", path.display()));
        let set = Command::new("chmod").arg("755").arg(&path).status();
        assert!(set.is_ok_and(|s| s.success()));
    }

    /// A path in its folder.
    pub fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// What is to be used as `ssh`.
    pub fn ssh(&self) -> PathBuf {
        self.path("ssh")
    }

    /// Runs a line of shell within the cluster; its standard output.
    pub fn run(&self, line: &str) -> String {
        let output = Command::new("nsenter")
            .args([
                "-t",
                &self.inside,
                "-m",
                "-u",
                "-n",
                "-i",
                "-p",
                "--",
                "sh",
                "-c",
                line,
            ])
            .stdin(Stdio::null())
            .output();
        output.map_or(String::new(), |out| {
            String::from_utf8_lossy(&out.stdout).into_owned()
        })
    }

    /// From now on the first answer of `sbatch` is lost: the job is taken, and an error is told.
    pub fn lose_an_answer(&self) {
        let once = self.path("lost").display().to_string();
        let text = format!(
            "#!/bin/sh\n/usr/bin/sbatch \"$@\" >{once}.out || exit\nif [ ! -e {once} ]; then\n  : >{once}\n  \
             echo 'sbatch: error: Batch job submission failed: Socket timed out on send/recv operation' >&2\n  exit 1\nfi\n\
             cat {once}.out\n"
        );
        let _ = std::fs::remove_file(self.path("lost"));
        self.program("bin/sbatch", &text);
    }

    /// From now on a program with this text is started instead of `sbatch`; it starts the real one itself.
    pub fn replace_sbatch(&self, text: &str) {
        self.program("bin/sbatch", text);
    }

    /// A job that comes first takes both nodes for so many seconds.
    pub fn urgent_job(&self, seconds: u32) {
        let text = format!(
            "#!/bin/sh\n#SBATCH --partition=urgent --nodes=2 --exclusive --output=/dev/null\nsleep {seconds}\n"
        );
        self.program("urgent.sh", &text);
        self.run(&format!("sbatch {}", self.path("urgent.sh").display()));
    }

    /// Sends a signal to one of its programs: `slurmctld`, `gpu1`, `gpu2`.
    pub fn signal(&self, program: &str, signal: &str) {
        let pid = std::fs::read_to_string(self.path(&format!("{program}.pid"))).unwrap_or_default();
        self.run(&format!("kill -{signal} {}", pid.trim()));
    }

    /// How many jobs it has ever taken, those that it has forgotten among them.
    pub fn taken(&self) -> u64 {
        let said = self.run("scontrol show config");
        let next = said.lines().find(|line| line.starts_with("NEXT_JOB_ID"));
        let next = next.and_then(|line| line.split_whitespace().last()?.parse::<u64>().ok());
        next.unwrap_or_else(|| panic!("no NEXT_JOB_ID: {said}")) - 1
    }

    /// Numbers of all jobs that this cluster has ever accepted from the tests.
    pub fn jobs(&self) -> Vec<String> {
        let said = self.run("squeue --noheader --states=all --format=%i,%j");
        said.lines()
            .filter(|line| line.contains("lexforge-"))
            .map(|line| line.split(',').next().unwrap_or_default().to_owned())
            .collect()
    }
}

impl Drop for SlurmCluster {
    fn drop(&mut self) {
        let _ = self.root.kill();
        let _ = self.root.wait();
    }
}
