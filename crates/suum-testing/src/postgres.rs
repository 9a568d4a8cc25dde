//! PostgreSQL server for a test: created, started on a free port, and removed when the test ends.

use std::env;
use std::fs::{self, Permissions};
use std::io::Write;
use std::net::TcpListener;
use std::os::unix::fs::{MetadataExt, PermissionsExt, chown};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use crate::Extent;
use crate::extent::{missing, not_run};

/// User that every server has.
const USER: &str = "ada";
/// Password of that user. It is required over TCP, and not over the socket.
pub const PASSWORD: &str = "correct:horse/battery@staple%";

/// Running server.
///
/// It is stopped and its files removed when this is dropped, and also if the process just ends.
#[derive(Debug)]
pub struct Server {
    folder: PathBuf,
    port: u16,
    programs: PathBuf,
    keeper: Child,
}

impl Server {
    /// Returns true if a server can be started; if not, or in a quick run, reports that the test is
    /// not run.
    ///
    /// # Panics
    ///
    /// Panics if there is none and everything has to be run.
    pub fn is_there() -> bool {
        if Extent::get() == Extent::Quick {
            not_run("it needs a PostgreSQL server");
            return false;
        }
        let found = programs().is_some();
        if !found {
            missing("PostgreSQL server", "postgresql");
        }
        found
    }

    /// Starts a new server, with an empty database.
    ///
    /// # Panics
    ///
    /// Panics if [`is_there`](Self::is_there) returns false, or if the server does not start.
    pub fn start() -> Self {
        Self::start_with("", &[])
    }

    /// Starts a server with more lines for `postgresql.conf`, and with files to put beside it, such
    /// as keys.
    ///
    /// # Panics
    ///
    /// Panics like [`start`](Self::start).
    pub fn start_with(configuration: &str, files: &[(&str, &str)]) -> Self {
        assert_ne!(Extent::get(), Extent::Quick, "ask first whether a server is there");
        let programs = programs().expect("a PostgreSQL server is installed");
        let folder = new_folder();
        let owner = owner_of_server(&folder);
        if let Some((user, group)) = owner {
            chown(&folder, Some(user), Some(group)).expect("root gives its folder away");
        }
        let data = folder.join("data");
        let password = folder.join("password");
        write(&password, PASSWORD, owner);
        let made = as_owner(&programs.join("initdb"), owner)
            .arg("--pgdata")
            .arg(&data)
            .args(["--username", USER, "--pwfile"])
            .arg(&password)
            .args(["--auth-local", "trust", "--auth-host", "scram-sha-256"])
            .args(["--encoding", "UTF8", "--locale", "C", "--no-sync", "--no-instructions"])
            .output()
            .expect("initdb runs");
        assert!(made.status.success(), "initdb: {}", String::from_utf8_lossy(&made.stderr));
        for (name, contents) in files {
            write(&data.join(name), contents, owner);
        }
        let speed = "fsync = off\nsynchronous_commit = off\nfull_page_writes = off\nshared_buffers \
            = 16MB\n";
        let mut settings =
            fs::read_to_string(data.join("postgresql.conf")).expect("initdb has made it");
        settings.push_str(speed);
        settings.push_str(configuration);
        write(&data.join("postgresql.conf"), &settings, owner);

        // Between the choice of a port and its use, somebody else can take it.
        for attempts_left in (0..5).rev() {
            let port = free_port();
            let mut keeper = keep(&programs, &folder, port, owner);
            if is_ready(&folder) {
                return Self { folder, port, programs, keeper };
            }
            let log = fs::read_to_string(folder.join("log")).unwrap_or_default();
            assert!(
                attempts_left > 0 && log.contains("in use"),
                "the PostgreSQL server does not start:\n{log}"
            );
            keeper.kill().expect("the keeper is ours");
            keeper.wait().expect("it ends");
            fs::remove_file(folder.join("ended")).expect("the folder is ours");
        }
        unreachable!("the last attempt returns or fails")
    }

    /// Port on localhost.
    pub fn port(&self) -> u16 {
        self.port
    }

    /// Folder of the Unix socket.
    pub fn socket_folder(&self) -> &Path {
        &self.folder
    }

    /// URL that needs no password: over the Unix socket.
    pub fn url(&self) -> String {
        let folder = self.folder.display().to_string().replace('/', "%2F");
        format!("postgresql://{USER}@{folder}:{}/postgres", self.port)
    }

    /// URL over TCP for a user, if one is given as `user` or `user:password`.
    pub fn tcp_url(&self, user: &str, host: &str) -> String {
        let at = if user.is_empty() { "" } else { "@" };
        format!("postgresql://{user}{at}{host}:{}/postgres", self.port)
    }

    /// Runs statements as the owner of everything.
    ///
    /// # Panics
    ///
    /// Panics if one of them fails.
    pub fn run(&self, statements: &str) {
        let mut psql = self
            .psql(&self.url())
            .stdin(Stdio::piped())
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()
            .expect("psql runs");
        psql.stdin
            .take()
            .expect("it is piped")
            .write_all(statements.as_bytes())
            .expect("psql reads");
        let output = psql.wait_with_output().expect("psql ends");
        assert!(output.status.success(), "psql: {}", String::from_utf8_lossy(&output.stderr));
    }

    /// PostgreSQL's own program with libpq, in an environment without settings for it.
    pub fn psql(&self, url: &str) -> Command {
        let mut psql = Command::new(self.programs.join("psql"));
        psql.args(["--no-psqlrc", "--quiet", "--tuples-only", "--no-align", "--no-password"]);
        psql.args(["--set", "ON_ERROR_STOP=1", "--dbname", url]);
        without_settings(&mut psql);
        psql.env("HOME", &self.folder);
        psql
    }

    /// Stops the server at once, whatever it is doing.
    ///
    /// # Panics
    ///
    /// Panics if it does not end.
    pub fn stop(&mut self) {
        drop(self.keeper.stdin.take());
        self.keeper.wait().expect("the keeper ends");
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.stop();
    }
}

/// Folder with the programs of a server.
fn programs() -> Option<PathBuf> {
    let on_path = env::var_os("PATH").unwrap_or_default();
    let of_pg_config = Command::new("pg_config")
        .arg("--bindir")
        .output()
        .ok()
        .map(|output| PathBuf::from(String::from_utf8_lossy(&output.stdout).trim()));
    let mut of_debian: Vec<_> = fs::read_dir("/usr/lib/postgresql")
        .into_iter()
        .flatten()
        .flatten()
        .map(|version| version.path().join("bin"))
        .collect();
    of_debian.sort();
    // Links on the path can leave out some of the programs, so their own folder comes first.
    let folders = of_debian.into_iter().rev().chain(of_pg_config).chain(env::split_paths(&on_path));
    let complete = |folder: &PathBuf| {
        ["initdb", "postgres", "psql"].iter().all(|program| folder.join(program).is_file())
    };
    folders.into_iter().find(complete)
}

fn new_folder() -> PathBuf {
    static COUNT: AtomicU32 = AtomicU32::new(0);
    let count = COUNT.fetch_add(1, Ordering::Relaxed);
    // A short name: the path of a Unix socket has little room.
    let folder = env::temp_dir().join(format!("suum-pg-{}-{count}", std::process::id()));
    // Left over from a process of the same number.
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir(&folder).expect("the temporary folder can be written to");
    fs::set_permissions(&folder, Permissions::from_mode(0o700)).expect("the folder is ours");
    folder
}

/// User and group number for the server if this process runs as root, which the server refuses.
fn owner_of_server(folder: &Path) -> Option<(u32, u32)> {
    if fs::metadata(folder).expect("it was just made").uid() != 0 {
        return None;
    }
    let users = fs::read_to_string("/etc/passwd").expect("every Unix has users");
    ["postgres", "nobody"].iter().find_map(|name| {
        let fields: Vec<_> =
            users.lines().find(|line| line.starts_with(&format!("{name}:")))?.split(':').collect();
        Some((fields.get(2)?.parse().ok()?, fields.get(3)?.parse().ok()?))
    })
}

/// Command of the server's own user, apart from interrupts on the terminal.
fn as_owner(program: &Path, owner: Option<(u32, u32)>) -> Command {
    let mut command = Command::new(program);
    command.process_group(0).current_dir("/");
    without_settings(&mut command);
    if let Some((user, group)) = owner {
        command.uid(user).gid(group);
    }
    command
}

fn without_settings(command: &mut Command) {
    for (variable, _) in env::vars_os().filter(|(name, _)| name.to_string_lossy().starts_with("PG"))
    {
        command.env_remove(variable);
    }
}

fn write(path: &Path, contents: &str, owner: Option<(u32, u32)>) {
    fs::write(path, contents).expect("the folder can be written to");
    fs::set_permissions(path, Permissions::from_mode(0o600)).expect("the file is ours");
    if let Some((user, group)) = owner {
        chown(path, Some(user), Some(group)).expect("root gives its file away");
    }
}

fn free_port() -> u16 {
    let listener = TcpListener::bind("127.0.0.1:0").expect("there is a free port");
    listener.local_addr().expect("it is bound").port()
}

/// Starts the server under a keeper process that waits for the end of its standard input, which
/// comes with the end of this process, however it ends. Then the keeper stops the server and
/// removes the files.
fn keep(programs: &Path, folder: &Path, port: u16, owner: Option<(u32, u32)>) -> Child {
    const KEEPER: &str = r#"
        folder=$1; shift
        exec 3<&0
        "$@" >"$folder/log" 2>&1 </dev/null 3<&- &
        server=$!
        { read -r _ <&3; [ -e "$folder/ended" ] || kill -QUIT "$server"; } &
        asked=$!
        wait "$server"
        : >"$folder/ended"
        wait "$asked"
        rm -rf "$folder"
    "#;
    as_owner(Path::new("/bin/sh"), owner)
        .args(["-c", KEEPER, "keeper"])
        .arg(folder)
        .arg(programs.join("postgres"))
        .arg("-D")
        .arg(folder.join("data"))
        .arg("-k")
        .arg(folder)
        .args(["-p", &port.to_string(), "-h", "localhost"])
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .expect("the server is run")
}

/// Waits until the server's file says that it accepts connections.
fn is_ready(folder: &Path) -> bool {
    let (ended, state_file) = (folder.join("ended"), folder.join("data/postmaster.pid"));
    let patience = Instant::now() + Duration::from_secs(60);
    while Instant::now() < patience {
        if ended.exists() {
            return false;
        }
        let state = fs::read_to_string(&state_file).unwrap_or_default();
        if state.lines().nth(7).is_some_and(|line| line.trim() == "ready") {
            return true;
        }
        thread::sleep(Duration::from_millis(20));
    }
    false
}
