//! One step of a training: a batch is learnt from, the weights are moved, and the figures are told.

use super::Training;
use super::stage::{Pace, batches};
use crate::architectures::recompute::Way;
use crate::jobs::control::ControlFile;
use crate::platform::resident_mb;
use crate::training::lessons::{self, Batch};
use crate::{Error, Result};
use lexforge_domain::Code;
use lexforge_domain::protocol::Event;
use std::time::Instant;

impl Training<'_> {
    /// Makes one step, unless somebody asks to stop while the step is prepared.
    pub(super) fn step(&mut self, pace: &mut Pace, control: &ControlFile) -> Result<()> {
        let began = Instant::now();
        let stage = &self.stages[self.state.stage];
        let (spec, made) = (stage.spec, self.made());
        let per_epoch = batches(stage.lesson.as_ref(), spec);
        let (epoch, number) = (made / per_epoch, made % per_epoch);
        let order = lessons::order(
            stage.lesson.items(),
            self.job.settings.seed,
            self.state.stage,
            epoch,
        );
        let numbers = order
            .chunks(spec.batch_size)
            .nth(number as usize)
            .unwrap_or_default();
        self.optimizer.clear_gradients();
        let scale = self.state.loss_scale.scale;
        let way = Way {
            recompute: self.job.settings.activation_checkpointing,
            scale,
        };
        if self.ranks.several() {
            tch::manual_seed(self.ranks.seed(self.job.settings.seed, self.state.step));
        }
        let ranks = &self.ranks;
        let batch = Batch {
            numbers,
            epoch,
            number,
            micro_batch: spec.micro_batch,
            budget: self.budget,
            way,
            ranks,
        };
        let go_on = || !control.stop_wanted();
        if !stage.lesson.prepare(&self.trainee, batch, &go_on)? {
            return Ok(());
        }
        let learnt = stage.lesson.learn(&self.trainee, batch)?;
        let mut of_all = [learnt.loss, learnt.tokens as f64];
        self.ranks.sum_numbers(&mut of_all)?;
        let [loss, tokens] = of_all;
        let rate = stage.schedule().rate(made);
        let norm = match loss.is_finite() {
            true => self
                .optimizer
                .step_of_all(rate, spec.max_grad_norm, scale, &self.ranks)?,
            false => f64::NAN,
        };
        if !self.state.loss_scale.heard(norm.is_finite()) {
            return Err(Error::told(
                Code::LossNotFinite,
                format!(
                    "The loss or its gradient is not a number at step {} (loss {loss}).",
                    self.state.step + 1
                ),
                "Lower the learning rate (halve it) or raise the temperature, and start a new run.",
            ));
        }
        if !norm.is_finite() {
            let message = format!(
                "{}: the gradient of step {} was too large for fp16; the step is passed over, the loss is scaled by {} from now on.",
                stage.name(),
                self.state.step + 1,
                self.state.loss_scale.scale
            );
            self.events.warn("step_passed_over", message)?;
        }
        let loss = if loss.is_finite() {
            loss
        } else {
            self.state.losses.last().copied().map_or(0.0, f64::from)
        };
        self.state.losses.push(loss as f32);
        self.state.step += 1;
        self.state.tokens += tokens as u64;
        let total = self.total();
        self.events.write(Event::Progress {
            stage: self.stage().name().into(),
            step: self.state.step,
            of: total,
            loss: Some(loss),
            lr: Some(rate),
            tokens_per_s: Some(tokens / began.elapsed().as_secs_f64()),
            memory_mb: resident_mb(),
            eta_s: Some(pace.left(self.state.step, total)),
        })
    }
}
