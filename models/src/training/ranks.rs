//! Several processes (ranks) that train one adapter together, each on its part of every batch (data parallel).
//!
//! The processes find each other by environment variables: `RANK`, `WORLD_SIZE`, `LOCAL_RANK`, `MASTER_ADDR`,
//! `MASTER_PORT`. These are set by torchrun, by Slurm's `srun` (if its variables are passed on) and by Kubernetes'
//! PyTorchJob. `lexforge-worker run --ranks N` starts the processes on this machine by itself ([`Together`]). The
//! processes exchange only sums of gradients. An adapter's gradient is small, so it can go through the host's memory
//! and libtorch's Gloo, even if GPUs compute it.
//!
//! Rank 0 leads: only it writes events, checkpoints and the result, evaluates held-out items and reads the control
//! file.

use crate::shim::{Group, Meeting};
use crate::{Error, Result};
use lexforge_domain::Code;
use std::net::TcpListener;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use tch::{Device, Kind, Tensor};

/// Longest wait for all ranks to start, in seconds.
const JOIN_S: i32 = 600;
/// The longest wait for another rank's part of a sum, in seconds. A rank whose process ends is noticed at once. This
/// limit is for a machine that stops answering; it must be longer than an evaluation of the held-out items.
const ANSWER_S: i32 = 7200;

/// This process among those of a training.
#[derive(Debug)]
pub struct Place {
    /// Its number, from 0.
    pub rank: usize,
    /// Processes.
    pub world: usize,
    /// Its number on this machine: that of its GPU.
    pub local: usize,
    /// Processes on this machine.
    pub local_world: usize,
    host: String,
    port: u16,
    /// Another program serves the store at that address (torchrun's agent does).
    served: bool,
    listener: Option<TcpListener>,
}

impl Place {
    /// A process by itself.
    pub fn alone() -> Self {
        Self {
            rank: 0,
            world: 1,
            local: 0,
            local_world: 1,
            host: "127.0.0.1".into(),
            port: 0,
            served: false,
            listener: None,
        }
    }

    /// The rank that the environment names. If it names none, this process trains alone.
    ///
    /// # Errors
    /// [`Code::InvalidRequest`] if the environment is incomplete or makes no sense.
    pub fn of_environment() -> Result<Self> {
        Self::of(|name| std::env::var(name).ok().filter(|value| !value.is_empty()))
    }

    fn of(variable: impl Fn(&str) -> Option<String>) -> Result<Self> {
        let invalid = |message: String| {
            Error::told(
                Code::InvalidRequest,
                message,
                "Start the ranks with torchrun or srun, or on one machine with lexforge-worker run --ranks N; unset WORLD_SIZE for \
                 one process alone.",
            )
        };
        let number = |name: &str, value: &str| {
            value
                .trim()
                .parse::<usize>()
                .map_err(|_| invalid(format!("{name}={value:?} is not a number.")))
        };
        let optional = |name: &str, otherwise| {
            variable(name).map_or(Ok(otherwise), |value| number(name, &value))
        };
        let world = optional("WORLD_SIZE", 1)?;
        if world <= 1 {
            return Ok(Self::alone());
        }
        let required = |name: &str| {
            variable(name)
                .ok_or_else(|| invalid(format!("WORLD_SIZE is {world}, but {name} is not set.")))
        };
        let rank = number("RANK", &required("RANK")?)?;
        if rank >= world {
            return Err(invalid(format!(
                "RANK={rank} is not below WORLD_SIZE={world}."
            )));
        }
        let port = required("MASTER_PORT")?;
        Ok(Self {
            rank,
            world,
            local: optional("LOCAL_RANK", 0)?,
            local_world: optional("LOCAL_WORLD_SIZE", 1)?.max(1),
            host: required("MASTER_ADDR")?,
            port: port
                .trim()
                .parse()
                .map_err(|_| invalid(format!("MASTER_PORT={port:?} is not a port.")))?,
            served: variable("TORCHELASTIC_USE_AGENT_STORE").is_some_and(|value| value == "True"),
            listener: None,
        })
    }

    /// Whether it writes the events, the checkpoints and the result.
    pub fn leads(&self) -> bool {
        self.rank == 0
    }

    /// The name of a file that each rank has for itself: the plain one for rank 0.
    pub(crate) fn own_file(&self, name: &str) -> String {
        match (self.rank, name.rsplit_once('.')) {
            (0, _) => name.to_owned(),
            (rank, Some((stem, ending))) => format!("{stem}.rank-{rank}.{ending}"),
            (rank, None) => format!("{name}.rank-{rank}"),
        }
    }

    /// Waits for the other ranks.
    ///
    /// # Errors
    /// [`Code::RankLost`] if not all ranks come.
    pub fn join(self) -> Result<Ranks> {
        let (rank, world) = (self.rank, self.world);
        if world == 1 {
            return Ok(Ranks {
                rank,
                world,
                group: None,
            });
        }
        let meeting = Meeting {
            host: &self.host,
            port: self.port,
            rank,
            world,
            serve: rank == 0 && !self.served,
            listener: self.listener.and_then(handed_over),
            join_s: JOIN_S,
            answer_s: ANSWER_S,
        };
        let group = Group::meet(&meeting).map_err(|error| {
            Error::told(
                Code::RankLost,
                format!("The {world} ranks did not meet at {}:{}: {}", self.host, self.port, first_line(&error)),
                "Start all ranks within ten minutes of each other, and let them reach rank 0 at that address and port.",
            )
        })?;
        Ok(Ranks {
            rank,
            world,
            group: Some(group),
        })
    }
}

#[cfg(unix)]
fn handed_over(listener: TcpListener) -> Option<i32> {
    use std::os::fd::IntoRawFd;
    Some(listener.into_raw_fd())
}

#[cfg(not(unix))]
fn handed_over(_listener: TcpListener) -> Option<i32> {
    None
}

fn first_line(error: &Error) -> String {
    error
        .to_string()
        .lines()
        .next()
        .unwrap_or_default()
        .trim()
        .to_owned()
}

/// The ranks that this process has joined.
pub struct Ranks {
    rank: usize,
    world: usize,
    group: Option<Group>,
}

impl Ranks {
    /// One process.
    pub fn alone() -> Self {
        Self {
            rank: 0,
            world: 1,
            group: None,
        }
    }

    /// Whether there are others.
    pub fn several(&self) -> bool {
        self.group.is_some()
    }

    /// Whether this is rank 0.
    pub fn leads(&self) -> bool {
        self.rank == 0
    }

    /// Processes.
    pub fn world(&self) -> usize {
        self.world
    }

    /// Replaces the tensor by its sum over all ranks; each rank gets the same bits.
    ///
    /// # Errors
    /// [`Code::RankLost`] if one has ended.
    pub fn sum(&self, tensor: &mut Tensor) -> Result<()> {
        self.through_host(tensor, Group::sum)
    }

    /// Replaces the tensor by the one that rank 0 has.
    ///
    /// # Errors
    /// As [`Ranks::sum`].
    pub fn share(&self, tensor: &mut Tensor) -> Result<()> {
        self.through_host(tensor, Group::share)
    }

    /// Replaces numbers by their sums over all ranks.
    ///
    /// # Errors
    /// As [`Ranks::sum`].
    pub(crate) fn sum_numbers(&self, numbers: &mut [f64]) -> Result<()> {
        if self.several() {
            let mut tensor = Tensor::f_from_slice(numbers)?;
            self.sum(&mut tensor)?;
            numbers.copy_from_slice(&Vec::<f64>::try_from(&tensor)?);
        }
        Ok(())
    }

    /// Replaces several tensors of one type by their sums over all ranks, in one message.
    ///
    /// # Errors
    /// As [`Ranks::sum`].
    pub(crate) fn sum_all(&self, tensors: &mut [Tensor]) -> Result<()> {
        if !self.several() || tensors.is_empty() {
            return Ok(());
        }
        let flat = tensors
            .iter()
            .map(|tensor| Ok(tensor.f_reshape([-1])?))
            .collect::<Result<Vec<_>>>()?;
        let mut flat = Tensor::f_cat(&flat, 0)?;
        self.sum(&mut flat)?;
        let mut first = 0;
        for tensor in tensors {
            let count = tensor.numel() as i64;
            *tensor = flat.f_narrow(0, first, count)?.f_view_as(tensor)?;
            first += count;
        }
        Ok(())
    }

    /// Gives every rank the bytes of rank 0; the bytes of the others are ignored.
    ///
    /// # Errors
    /// As [`Ranks::sum`].
    pub(crate) fn share_bytes(&self, bytes: Vec<u8>) -> Result<Vec<u8>> {
        if !self.several() {
            return Ok(bytes);
        }
        let mut length = Tensor::f_from_slice(&[bytes.len() as i64])?;
        self.share(&mut length)?;
        let mut tensor = match self.leads() {
            true => Tensor::f_from_slice(&bytes)?,
            false => Tensor::f_zeros([length.f_int64_value(&[0])?], (Kind::Uint8, Device::Cpu))?,
        };
        if tensor.numel() > 0 {
            self.share(&mut tensor)?;
        }
        Ok(Vec::<u8>::try_from(&tensor)?)
    }

    /// Divides pieces of work among the ranks: each piece, the heaviest first, goes to the rank that has least work so
    /// far. Every rank computes the same division.
    pub fn portions(&self, weights: &[usize]) -> Vec<Vec<usize>> {
        let mut portions = vec![Vec::new(); self.world];
        let mut loads = vec![0usize; self.world];
        let mut order: Vec<usize> = (0..weights.len()).collect();
        order.sort_by_key(|&i| (std::cmp::Reverse(weights[i]), i));
        for i in order {
            let least = (0..self.world)
                .min_by_key(|&rank| (loads[rank], rank))
                .unwrap_or(0);
            loads[least] += weights[i];
            portions[least].push(i);
        }
        portions
            .iter_mut()
            .for_each(|portion| portion.sort_unstable());
        portions
    }

    /// This rank's of them.
    pub(crate) fn own_portion(&self, weights: &[usize]) -> Vec<usize> {
        match self.several() {
            true => self.portions(weights).swap_remove(self.rank),
            false => (0..weights.len()).collect(),
        }
    }

    /// A seed of this rank for a step: dropout differs between ranks, and a resumed run draws the same.
    pub fn seed(&self, seed: u64, step: u64) -> i64 {
        let mixed =
            seed ^ step.wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ (self.rank as u64).rotate_left(40);
        (mixed & i64::MAX as u64) as i64
    }

    fn through_host(
        &self,
        tensor: &mut Tensor,
        act: impl Fn(&Group, &Tensor) -> Result<()>,
    ) -> Result<()> {
        let Some(group) = &self.group else {
            return Ok(());
        };
        let _no_grad = tch::no_grad_guard();
        let host = tensor.f_to_device(Device::Cpu)?.f_contiguous()?;
        act(group, &host).map_err(|error| {
            Error::told(
                Code::RankLost,
                format!("Another rank of this training ended or no longer answers: {}", first_line(&error)),
                "See that rank's own log for the reason, then start all ranks again: the run goes on from its newest checkpoint.",
            )
        })?;
        if tensor.device() != Device::Cpu || !tensor.is_contiguous() {
            tensor.f_copy_(&host)?;
        }
        Ok(())
    }
}

/// The other ranks on this machine, started by rank 0.
pub struct Together(Vec<Child>);

impl Together {
    /// Starts `world - 1` processes of this program with these arguments, and returns the rank of this process.
    ///
    /// The processes connect over loopback, and the store listens only there. The standard error of each started
    /// process goes into a file in `folder`.
    ///
    /// # Errors
    /// If no port is free or a process cannot be started.
    pub fn start(
        world: usize,
        arguments: &[&std::ffi::OsStr],
        folder: &Path,
    ) -> Result<(Self, Place)> {
        let refused = |source| Error::Io {
            path: "lexforge-worker".into(),
            source,
        };
        let program = std::env::current_exe().map_err(refused)?;
        let listener = TcpListener::bind(("127.0.0.1", 0)).map_err(refused)?;
        let port = listener.local_addr().map_err(refused)?.port();
        let place = |rank| Place {
            rank,
            world,
            local: rank,
            local_world: world,
            host: "127.0.0.1".into(),
            port,
            served: false,
            listener: None,
        };
        let mut others = Self(Vec::with_capacity(world.saturating_sub(1)));
        for rank in 1..world {
            let log = folder.join(place(rank).own_file(lexforge_domain::protocol::STDERR_FILE));
            let log = std::fs::File::create(&log).map_err(Error::io(&log))?;
            let child = Command::new(&program)
                .args(arguments)
                .env("RANK", rank.to_string())
                .env("WORLD_SIZE", world.to_string())
                .env("LOCAL_RANK", rank.to_string())
                .env("LOCAL_WORLD_SIZE", world.to_string())
                .env("MASTER_ADDR", "127.0.0.1")
                .env("MASTER_PORT", port.to_string())
                .env_remove("TORCHELASTIC_USE_AGENT_STORE")
                .env_remove("GLOO_SOCKET_IFNAME")
                .stdin(Stdio::null())
                .stdout(Stdio::null())
                .stderr(log)
                .spawn()
                .map_err(refused)?;
            others.0.push(child);
        }
        Ok((
            others,
            Place {
                listener: Some(listener),
                ..place(0)
            },
        ))
    }
}

impl Drop for Together {
    fn drop(&mut self) {
        for child in &mut self.0 {
            // They end with the last sum, or with its failure; who waits for somebody else is not waited for.
            for _ in 0..100 {
                if !matches!(child.try_wait(), Ok(None)) {
                    break;
                }
                std::thread::sleep(std::time::Duration::from_millis(50));
            }
            let _ = child.kill();
            let _ = child.wait();
        }
    }
}

#[cfg(test)]
mod tests;
