//! The workspace as a whole, the dialogs of the operating system, and how this machine and this window are.

use crate::Failure;
use crate::api::{self, Check, LogLevel, LogView, Storage, SupportPart, WorkspaceView};
use crate::text::Language;

commands! {
    WorkspaceRequest;

    /// The disk space of the open workspace and its models.
    StorageOf {} -> Storage;

    /// Has the desktop tell that long work has ended; where it cannot, nothing happens.
    Notify { text: String } -> ();

    /// Shows texts and everything else larger or smaller; 100 = as designed.
    SetTextSize { percent: u32 } -> ();

    /// The open workspace, if one is open.
    Workspace {} -> Option<WorkspaceView>;

    /// Opens the workspace at a path.
    OpenWorkspace { path: String } -> WorkspaceView;

    /// Makes a workspace at a path and opens it.
    CreateWorkspace { path: String } -> WorkspaceView;

    /// Opens the sample workspace of a language, or makes it; what it lacks is read and found in the background.
    OpenSample { language: Language } -> WorkspaceView;

    /// Asks the user for a workspace; `None` if they choose none.
    PickWorkspace {} -> Option<String>;

    /// Asks the user where a new workspace should stand.
    PickNewWorkspace {} -> Option<String>;

    /// Asks the user for documents.
    PickFiles {} -> Vec<String>;

    /// Asks the user for a folder; `None` if they choose none.
    PickFolder {} -> Option<String>;

    /// Asks where a file should be written; `None` if the user chooses no place.
    PickSave { name: String, extension: String } -> Option<String>;

    /// Asks for a file with one of these extensions.
    PickOpen { extensions: Vec<String> } -> Option<String>;

    /// A failure that happened while the application started, for example a workspace that does not open.
    StartFailure {} -> Option<Failure>;

    /// How the page before this one ended, where it ended by itself; told once.
    PageEnd {} -> Option<api::PageEnd>;

    /// The place of the logs, and how much is written to them.
    Logs {} -> LogView;

    /// Sets how much goes into the logs.
    SetLogLevel { level: LogLevel } -> LogView;

    /// The content of a support file.
    SupportParts {} -> Vec<SupportPart>;

    /// Writes the information for a support request into a new file: versions, checks, settings, counts and logs, but
    /// no content.
    WriteSupport { path: String } -> Vec<SupportPart>;

    /// Opens a key file that is protected by a passphrase, for as long as the window runs.
    UnlockKeyFile { path: String, passphrase: String } -> ();

    /// Unlocks an encrypted workspace for as long as the window runs; its key can also be kept in the key ring.
    UnlockWorkspace { path: String, passphrase: String, remember: bool } -> ();

    /// Encrypts the open workspace, which is closed for that and opened again.
    EncryptWorkspace { passphrase: String, remember: bool } -> WorkspaceView;

    /// Gives the open workspace, which is encrypted, another passphrase.
    ChangePassphrase { earlier: String, passphrase: String } -> WorkspaceView;

    /// Takes the encryption of the open workspace away.
    DecryptWorkspace { passphrase: String } -> WorkspaceView;

    /// The name and version of this program, and the licences of the parts by others.
    About {} -> api::About;

    /// The worker of this program, its libtorch, and the devices that it can compute on. The worker is started for it.
    AboutWorker {} -> api::AboutWorker;

    /// Checks what is installed and what is missing on this machine.
    Doctor {} -> Vec<Check>;
}
