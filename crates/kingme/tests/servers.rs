//! Several `kingme serve --store postgres://…` at one data base, killed at any moment: nothing that
//! was acknowledged is lost, nothing happens twice, and people go on at another server.
//!
//! `KILLS=20 cargo test -p kingme --test servers` kills as often, and wants people to go on within
//! five seconds; with `-- --ignored` the servers are behind nginx, as docs/DEPLOY.md has it.

mod support;

#[cfg(unix)]
mod site;

#[cfg(unix)]
mod tests {
    use std::sync::atomic::{AtomicBool, Ordering};
    use std::thread;
    use std::time::Duration;

    use kingme_cluster::Cluster;

    use crate::site::{self, Listener, Player, Random, Site};
    use crate::support::refused;

    /// People of whom each plays a game alone, at both servers in turn.
    const PEOPLE: u32 = 4;
    /// People who play the computer.
    const AGAINST_COMPUTERS: u32 = 2;

    /// How often servers are killed, if somebody says so.
    fn kills() -> Option<usize> {
        let kills = std::env::var("KILLS").ok();
        kills.map(|kills| kills.parse().expect("KILLS is a number"))
    }

    #[test]
    fn servers_may_die_and_the_data_base_may_restart() {
        // With everything that makes it safe: it is restarted as well.
        let cluster = Cluster::start("");
        let site = Site::start(&cluster.database());
        play_while_servers_die(&cluster, &site);
    }

    #[test]
    #[ignore = "needs nginx, openssl, curl and systemd-analyze"]
    fn a_site_is_what_the_guide_says() {
        let cluster = Cluster::start("");
        let site = Site::start(&cluster.database()).behind_nginx();
        site.check_tls_and_what_is_private();
        play_while_servers_die(&cluster, &site);
        site::check_units();
    }

    fn play_while_servers_die(cluster: &Cluster, site: &Site) {
        let stop = AtomicBool::new(false);
        let mut random = Random(0x9E37_79B9);
        let (players, listeners) = thread::scope(|scope| {
            let mut players = Vec::new();
            let mut listeners = Vec::new();
            for number in 0..PEOPLE + AGAINST_COMPUTERS {
                let mut player = Player::begin(site, number, number >= PEOPLE);
                for at in 0..2 {
                    let mut listener = Listener::new(site, &player.game, at);
                    let stop = &stop;
                    listeners.push(scope.spawn(move || {
                        listener.listen(stop);
                        listener
                    }));
                }
                let stop = &stop;
                players.push(scope.spawn(move || {
                    player.play(stop);
                    player
                }));
            }
            let kills = kills().unwrap_or(4);
            for kill in 0..kills {
                thread::sleep(Duration::from_millis(300 + random.below(1_200)));
                if kill == kills / 2 {
                    cluster.restart();
                }
                site.kill_and_restart(random.below(2) as usize);
            }
            // Long after the last death has been noticed, word by word is all there is.
            thread::sleep(Duration::from_secs(6));
            stop.store(true, Ordering::Relaxed);
            let players = players.into_iter().map(|player| player.join().unwrap());
            let players: Vec<Player> = players.collect();
            let listeners = listeners.into_iter().map(|one| one.join().unwrap());
            (players, listeners.collect::<Vec<Listener>>())
        });
        for player in &players {
            player.check();
        }
        for listener in &listeners {
            for (game, seq) in &listener.heard {
                assert_eq!(*seq, players[0].seq(game), "a listener at {game}");
            }
        }
        let moves: usize = players.iter().map(Player::acknowledged).sum();
        let longest = players.iter().map(|player| player.longest).max().unwrap();
        println!("{moves} moves acknowledged, nobody waited longer than {longest:?}");
        // Only where somebody wants to know: a slow machine takes longer for everything.
        assert!(
            kills().is_none() || longest < Duration::from_secs(5),
            "{longest:?}"
        );
    }

    #[test]
    fn a_store_that_can_not_be_used_is_said_in_a_line() {
        let serve = |store: &str, sentence: &str| {
            let arguments = ["serve", "--no-open", "--listen", "0", "--log", "off"];
            refused(&[&arguments[..], &["--store", store]].concat(), sentence);
        };
        let cluster = Cluster::shared();
        let missing = cluster.url("nosuch");
        let at = missing
            .split("host=")
            .nth(1)
            .unwrap()
            .split('&')
            .next()
            .unwrap();
        serve(
            &missing,
            &format!(
                "there is no such data base at {at}:5432/nosuch: database \"nosuch\" does not \
                 exist; make it with `createdb`"
            ),
        );
        cluster.execute("postgres", "CREATE ROLE shy LOGIN PASSWORD 'open sesame'");
        serve(
            &format!(
                "{}&password=guess",
                missing.replace("user=kingme", "user=shy")
            ),
            &format!(
                "the data base at {at}:5432/nosuch does not let us in: password authentication \
                 failed for user \"shy\""
            ),
        );
        serve(
            "postgres:///kingme?host=/nowhere&user=kingme",
            "can't reach the data base at /nowhere:5432/kingme: No such file or directory",
        );
        let newer = cluster.database();
        let name = newer.split(['/', '?']).nth(3).unwrap();
        cluster.execute(
            name,
            "CREATE TABLE kingme_versions (part TEXT PRIMARY KEY, version BIGINT NOT NULL);
             INSERT INTO kingme_versions VALUES ('server', 99)",
        );
        serve(
            &newer,
            "the data base is of version 99, and this kingme knows versions up to 1: use a newer \
             kingme",
        );
        // A password is not repeated, be it that nothing else is right.
        serve(
            "mysql://ada:secret@host/games",
            "`mysql://ada:…@host/games` is neither a folder nor a data base like \
             postgres://user@host/name",
        );
    }
}
