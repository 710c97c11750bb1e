//! Triplets, and the pairs of sentences that experts score: made, listed, measured, given out.

use crate::api::{
    Rows, ScoresRead, ShiftType, SimilarityRequest, SimilarityWritten, TripletCounts,
    TripletFilter, TripletRow, TripletsAsked, TripletsBy, TripletsMeasured, TripletsRequest,
};
use crate::endpoint::AskPlan;

commands! {
    TrainingDataRequest;

    /// The ways in which a meaning can shift, with those of a user's file.
    ShiftTypes { file: Option<String> } -> Vec<ShiftType>;

    /// The prompts that making triplets would send at most, and where. Nothing is sent.
    PlanTriplets { asked: TripletsAsked, request: TripletsRequest } -> AskPlan;

    /// Makes triplets in the background; the answer is the job's number.
    MakeTriplets { by: TripletsBy, request: TripletsRequest } -> u64;

    /// Reads in the triplets of a file in the background; the answer is the job's number.
    ImportTriplets { file: String } -> u64;

    /// Triplets that match a filter.
    Triplets { filter: TripletFilter } -> Rows<TripletRow>;

    /// How many triplets there are, by verdict, by shift, and rejected by reason.
    CountTriplets {} -> TripletCounts;

    /// Writes the triplets that match a filter to a file; the answer is their number.
    ExportTriplets { filter: TripletFilter, file: String } -> u64;

    /// Measures an encoder on triplets and on scored pairs in the background, also on the pairs of these tables; the
    /// answer is the job's number.
    MeasureTriplets { wanted: TripletsMeasured, files: Vec<String> } -> u64;

    /// Draws pairs of sentences for experts to score, in the background; the answer is the job's number.
    DrawSimilarity { request: SimilarityRequest } -> u64;

    /// Writes the scored pairs to a file, with a card beside it.
    ExportSimilarity { file: String } -> SimilarityWritten;

    /// Writes the pairs that the person has not scored to a file, for a spreadsheet; the answer is their number.
    WriteScoreSheet { file: String } -> u64;

    /// Takes over the scores of such a file in the name of the person.
    ImportScores { file: String } -> ScoresRead;
}
