-- A workspace as the version of format 87 made it, as sqlite3's .dump writes it: two versions of an act, a link between them
-- that was taken back and made again, and an answer.
PRAGMA application_id = 1281718342;
PRAGMA user_version = 87;
PRAGMA foreign_keys=OFF;
BEGIN TRANSACTION;
CREATE TABLE audit (
            sequence INTEGER PRIMARY KEY,
            time TEXT NOT NULL,
            actor TEXT NOT NULL,
            action TEXT NOT NULL,
            subject TEXT NOT NULL,
            reason TEXT NOT NULL,
            covers TEXT,
            payload BLOB NOT NULL CHECK (length(payload) = 32),
            previous BLOB NOT NULL CHECK (length(previous) = 32),
            hash BLOB NOT NULL UNIQUE CHECK (length(hash) = 32)
        ) STRICT;
INSERT INTO audit VALUES(1,'2026-11-29T09:46:30.09Z','lexforge','workspace.create','workspace','',NULL,X'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',X'0000000000000000000000000000000000000000000000000000000000000000',X'631c3a77effa07712467a843426ad5f65c181f3d75030f3c497439adbb05a580');
INSERT INTO audit VALUES(2,'2026-11-29T09:46:32.473Z','A. Reviewer','document.import','document 1','','document 1',X'8abfed463b78813e806c2a49b31177619f0ffa70336053b2ad3825b8d65d4fc4',X'631c3a77effa07712467a843426ad5f65c181f3d75030f3c497439adbb05a580',X'773193072e9f11a8a19f90070acd1006e1f5aff5629c81018fc66ef853e6ea8d');
INSERT INTO audit VALUES(3,'2026-11-29T09:46:32.889Z','A. Reviewer','document.import','document 2','','document 2',X'9a43f081c1f68804ef72e5c18d65247f518a1ca8bcb5d4730f107eebe412c58e',X'773193072e9f11a8a19f90070acd1006e1f5aff5629c81018fc66ef853e6ea8d',X'd2e87335eacd10afe438614d33c208a0536281a53d57773b186a9e77ae24addf');
INSERT INTO audit VALUES(4,'2026-11-29T09:46:32.889Z','A. Reviewer','document.link','document 2','','document 2',X'7e07d1f2739287d02b0b22d490ae12898c97198c35829eb1251a7397a76b75c9',X'd2e87335eacd10afe438614d33c208a0536281a53d57773b186a9e77ae24addf',X'85ea0679233e8aa777a0d919787748f8d372d2d24933274747801f9a99779e72');
INSERT INTO audit VALUES(5,'2026-11-29T09:46:33.38Z','A. Reviewer','document.link','document 2','','document 2',X'fe52cd100a33c4c28275d74a81940e2c496397dab1800f4f989d66c9116f6ef3',X'85ea0679233e8aa777a0d919787748f8d372d2d24933274747801f9a99779e72',X'4ee35e2f1da353c451f266fe2d831ba4f757ba9bd8aa99044b289586d4875e5a');
INSERT INTO audit VALUES(6,'2026-11-29T09:46:33.481Z','A. Reviewer','document.link','document 2','','document 2',X'7175ba4898f7481ae76aeebb53151a6e9beed8143aee263054aae7aaa6074cb7',X'4ee35e2f1da353c451f266fe2d831ba4f757ba9bd8aa99044b289586d4875e5a',X'0a069aa4fdd641ef7b14c3a56b72e4eff91fdf417286b7262fff1be7a6eeb9af');
INSERT INTO audit VALUES(7,'2026-11-29T09:46:33.671Z','A. Reviewer','answer.put','answer 1','','answer 1',X'9c566bcb62bf71616c43ccd4b5423eb2ae03165aacaae70cdd64fd725ba06027',X'0a069aa4fdd641ef7b14c3a56b72e4eff91fdf417286b7262fff1be7a6eeb9af',X'0cda2846ab040c8bc9d31ccb626d6f1d17b051bc3d270c440bb2ae3f301bc03c');
CREATE TABLE setting (key TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID;
CREATE TABLE document (
            id INTEGER PRIMARY KEY,
            sha256 TEXT NOT NULL UNIQUE,
            file TEXT NOT NULL,
            title TEXT NOT NULL,
            format TEXT NOT NULL,
            language TEXT NOT NULL,
            pages INTEGER NOT NULL,
            sentences INTEGER NOT NULL,
            scanned_pages INTEGER NOT NULL,
            hayro_pages INTEGER NOT NULL,
            pdf_extract_pages INTEGER NOT NULL,
            ocr_pages INTEGER NOT NULL,
            reader_agreement REAL,
            warnings TEXT NOT NULL,
            bytes INTEGER NOT NULL,
            imported TEXT NOT NULL
        , about TEXT) STRICT;
INSERT INTO document VALUES(1,'e9275041aad452c966bf6737141ae7f251871bd0ec9c04926168d3222dce8d21','act.md','Harbour Dues Act','markdown','en',1,5,0,0,0,0,NULL,'[]',157,'2026-11-29T09:46:32.267Z',NULL);
INSERT INTO document VALUES(2,'783b090e52d6e1b6a7dc2bee82519af8ddc09206dd29a5c1332c408914e23931','act2.md','Harbour Dues Act','markdown','en',1,5,0,0,0,0,NULL,'[]',173,'2026-11-29T09:46:32.738Z',NULL);
CREATE TABLE chunk (
            id INTEGER PRIMARY KEY,
            document INTEGER NOT NULL REFERENCES document (id),
            position INTEGER NOT NULL,
            sha256 BLOB NOT NULL CHECK (length(sha256) = 32),
            bytes BLOB NOT NULL CHECK (length(bytes) <= 1048576),
            UNIQUE (document, position)
        ) STRICT;
INSERT INTO chunk VALUES(1,1,0,X'e9275041aad452c966bf6737141ae7f251871bd0ec9c04926168d3222dce8d21',X'2320486172626f75722044756573204163740a0a23232041727469636c6520310a0a546865206d6173746572207368616c6c20706179207468652064756573206265666f7265207468652073686970206c65617665732074686520706f72742e0a0a23232041727469636c6520320a0a5468697320416374207368616c6c206170706c7920756e74696c20333120446563656d62657220323032352e0a');
INSERT INTO chunk VALUES(2,2,0,X'783b090e52d6e1b6a7dc2bee82519af8ddc09206dd29a5c1332c408914e23931',X'2320486172626f75722044756573204163740a0a23232041727469636c6520310a0a546865206d6173746572207368616c6c207061792074686520647565732077697468696e20666976652064617973206166746572207468652073686970206c65617665732074686520706f72742e0a0a23232041727469636c6520320a0a5468697320416374207368616c6c206170706c7920756e74696c20333120446563656d62657220323032352e0a');
CREATE TABLE page (
            id INTEGER PRIMARY KEY,
            document INTEGER NOT NULL REFERENCES document (id),
            number INTEGER NOT NULL,
            width REAL NOT NULL,
            height REAL NOT NULL,
            engine TEXT NOT NULL,
            agreement REAL,
            scanned INTEGER NOT NULL,
            text TEXT NOT NULL, differences TEXT, removed TEXT,
            UNIQUE (document, number)
        ) STRICT;
INSERT INTO page VALUES(1,1,1,0.0,0.0,'plain',NULL,0,replace('Harbour Dues Act\nArticle 1\nThe master shall pay the dues before the ship leaves the port.\nArticle 2\nThis Act shall apply until 31 December 2025.','\n',char(10)),NULL,NULL);
INSERT INTO page VALUES(2,2,1,0.0,0.0,'plain',NULL,0,replace('Harbour Dues Act\nArticle 1\nThe master shall pay the dues within five days after the ship leaves the port.\nArticle 2\nThis Act shall apply until 31 December 2025.','\n',char(10)),NULL,NULL);
CREATE TABLE section (
            id INTEGER PRIMARY KEY,
            document INTEGER NOT NULL REFERENCES document (id),
            parent INTEGER REFERENCES section (id),
            level INTEGER NOT NULL,
            label TEXT NOT NULL,
            title TEXT NOT NULL,
            path TEXT NOT NULL,
            page INTEGER NOT NULL,
            sentences INTEGER NOT NULL
        ) STRICT;
INSERT INTO section VALUES(1,1,NULL,0,'','Harbour Dues Act','Harbour Dues Act',1,1);
INSERT INTO section VALUES(2,1,NULL,0,'Article 1','','Article 1',1,2);
INSERT INTO section VALUES(3,1,NULL,0,'Article 2','','Article 2',1,2);
INSERT INTO section VALUES(4,2,NULL,0,'','Harbour Dues Act','Harbour Dues Act',1,1);
INSERT INTO section VALUES(5,2,NULL,0,'Article 1','','Article 1',1,2);
INSERT INTO section VALUES(6,2,NULL,0,'Article 2','','Article 2',1,2);
CREATE TABLE sentence (
            id INTEGER PRIMARY KEY,
            document INTEGER NOT NULL REFERENCES document (id),
            position INTEGER NOT NULL,
            page INTEGER NOT NULL,
            section INTEGER REFERENCES section (id),
            kind TEXT NOT NULL,
            text TEXT NOT NULL,
            regions BLOB NOT NULL,
            first INTEGER NOT NULL,
            past INTEGER NOT NULL,
            external_id TEXT
        , complete TEXT) STRICT;
INSERT INTO sentence VALUES(1,1,0,1,1,'heading','Harbour Dues Act',X'',0,16,NULL,NULL);
INSERT INTO sentence VALUES(2,1,1,1,2,'heading','Article 1',X'',17,26,NULL,NULL);
INSERT INTO sentence VALUES(3,1,2,1,2,'rule','The master shall pay the dues before the ship leaves the port.',X'',27,89,NULL,NULL);
INSERT INTO sentence VALUES(4,1,3,1,3,'heading','Article 2',X'',90,99,NULL,NULL);
INSERT INTO sentence VALUES(5,1,4,1,3,'rule','This Act shall apply until 31 December 2025.',X'',100,144,NULL,NULL);
INSERT INTO sentence VALUES(6,2,0,1,4,'heading','Harbour Dues Act',X'',0,16,NULL,NULL);
INSERT INTO sentence VALUES(7,2,1,1,5,'heading','Article 1',X'',17,26,NULL,NULL);
INSERT INTO sentence VALUES(8,2,2,1,5,'rule','The master shall pay the dues within five days after the ship leaves the port.',X'',27,105,NULL,NULL);
INSERT INTO sentence VALUES(9,2,3,1,6,'heading','Article 2',X'',106,115,NULL,NULL);
INSERT INTO sentence VALUES(10,2,4,1,6,'rule','This Act shall apply until 31 December 2025.',X'',116,160,NULL,NULL);
PRAGMA writable_schema=ON;
INSERT INTO sqlite_schema(type,name,tbl_name,rootpage,sql)VALUES('table','full_text','full_text',0,'CREATE VIRTUAL TABLE full_text USING fts5 (words, content = '''', columnsize = 0, tokenize = ''ascii'')');
CREATE TABLE IF NOT EXISTS 'full_text_data'(id INTEGER PRIMARY KEY, block BLOB);
INSERT INTO full_text_data VALUES(1,X'0a2f');
INSERT INTO full_text_data VALUES(10,X'000000010102020002010101020101');
INSERT INTO full_text_data VALUES(137438953473,X'000000ad0230310202030101320402030203303235050208010233310502060103616374010204040202020470706c690502040205727469636c02020202020201056265666f720302060106646563656d62050207020275650102030202050107686172626f757201020201046c65617603020801066d6173746572030202010370617903020402036f727403020901057368616c6c030203020203030269700302070105756e74696c05020504060608070b090d0a0b0a0c090b08080d07');
INSERT INTO full_text_data VALUES(274877906945,X'000000c702303107020301013209020302033032350a0208010233310a02060103616374060204040202020466746572080209020470706c690a02040205727469636c070202020202010364617908020802056563656d620a0207020275650602030202050104666976650802070107686172626f757206020201046c65617608020b01066d6173746572080202010370617908020402036f727408020c01057368616c6c0802030202030302697008020a0105756e74696c0a0205010677697468696e08020604060608070b09090d080a0a090c090b08080d070a');
CREATE TABLE IF NOT EXISTS 'full_text_idx'(segid, term, pgno, PRIMARY KEY(segid, term)) WITHOUT ROWID;
INSERT INTO full_text_idx VALUES(1,X'',2);
INSERT INTO full_text_idx VALUES(2,X'',2);
CREATE TABLE IF NOT EXISTS 'full_text_config'(k PRIMARY KEY, v) WITHOUT ROWID;
INSERT INTO full_text_config VALUES('hashsize',16777216);
INSERT INTO full_text_config VALUES('version',4);
INSERT INTO sqlite_schema(type,name,tbl_name,rootpage,sql)VALUES('table','full_text_place','full_text_place',0,'CREATE VIRTUAL TABLE full_text_place USING fts5vocab (full_text, instance)');
INSERT INTO sqlite_schema(type,name,tbl_name,rootpage,sql)VALUES('table','full_text_word','full_text_word',0,'CREATE VIRTUAL TABLE full_text_word USING fts5vocab (full_text, row)');
CREATE TABLE full_text_length (
            document INTEGER PRIMARY KEY REFERENCES document (id),
            first_sentence INTEGER NOT NULL,
            lengths BLOB NOT NULL
        ) STRICT;
INSERT INTO full_text_length VALUES(1,1,X'03000200080002000700');
INSERT INTO full_text_length VALUES(2,6,X'030002000b0002000700');
CREATE TABLE term (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        language TEXT NOT NULL,
        normal TEXT NOT NULL,
        text TEXT NOT NULL,
        found TEXT NOT NULL,
        status TEXT NOT NULL,
        score REAL NOT NULL,
        mentions INTEGER NOT NULL,
        definition TEXT,
        definition_sentence INTEGER REFERENCES sentence (id),
        definition_document INTEGER REFERENCES document (id), class TEXT NOT NULL DEFAULT '',
        UNIQUE (language, normal)
    ) STRICT;
CREATE TABLE mention (
        sentence INTEGER NOT NULL REFERENCES sentence (id),
        first INTEGER NOT NULL,
        past INTEGER NOT NULL,
        term INTEGER NOT NULL REFERENCES term (id),
        PRIMARY KEY (sentence, first, past, term)
    ) STRICT, WITHOUT ROWID;
CREATE TABLE embedding (
        id INTEGER PRIMARY KEY,
        name TEXT NOT NULL,
        block INTEGER NOT NULL,
        dim INTEGER NOT NULL CHECK (dim > 0),
        ids BLOB NOT NULL,
        vectors BLOB NOT NULL,
        UNIQUE (name, block)
    ) STRICT;
CREATE TABLE graph_build (
                id INTEGER PRIMARY KEY,
                created TEXT NOT NULL,
                corpus_hash TEXT NOT NULL,
                settings TEXT NOT NULL,
                stats TEXT NOT NULL
            , parent INTEGER REFERENCES graph_build (id), record TEXT) STRICT;
CREATE TABLE edge (
        kind TEXT NOT NULL,
        a INTEGER NOT NULL,
        b INTEGER NOT NULL,
        weight REAL NOT NULL,
        PRIMARY KEY (kind, a, b)
    ) STRICT, WITHOUT ROWID;
CREATE TABLE candidate (
        anchor INTEGER NOT NULL REFERENCES sentence (id),
        candidate INTEGER NOT NULL REFERENCES sentence (id),
        cosine REAL NOT NULL,
        PRIMARY KEY (anchor, candidate)
    ) STRICT, WITHOUT ROWID;
CREATE TABLE qca (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        fingerprint BLOB NOT NULL UNIQUE,
        level TEXT NOT NULL,
        type TEXT NOT NULL,
        question TEXT NOT NULL,
        choices TEXT NOT NULL,
        answer INTEGER NOT NULL,
        origins TEXT NOT NULL,
        rephrased TEXT,
        anchor_sentence INTEGER NOT NULL REFERENCES sentence (id),
        anchor_term INTEGER,
        source TEXT NOT NULL,
        split TEXT NOT NULL
    , note TEXT) STRICT;
CREATE TABLE qca_tally (
        level TEXT NOT NULL,
        type TEXT NOT NULL,
        split TEXT NOT NULL,
        n INTEGER NOT NULL,
        PRIMARY KEY (level, type, split)
    ) STRICT, WITHOUT ROWID;
CREATE TABLE augmentation (id INTEGER PRIMARY KEY CHECK (id = 1), report TEXT NOT NULL) STRICT;
CREATE TABLE dataset (
            id INTEGER PRIMARY KEY,
            hash TEXT NOT NULL UNIQUE,
            created TEXT NOT NULL,
            description TEXT NOT NULL,
            seed BLOB NOT NULL CHECK (length(seed) = 8)
        ) STRICT;
CREATE TABLE dataset_item (
            id INTEGER PRIMARY KEY,
            dataset INTEGER NOT NULL REFERENCES dataset (id),
            position INTEGER NOT NULL,
            qca INTEGER NOT NULL,
            split TEXT NOT NULL,
            cluster INTEGER NOT NULL,
            answer_group INTEGER NOT NULL,
            json TEXT NOT NULL,
            UNIQUE (dataset, position)
        ) STRICT;
CREATE TABLE evaluation (
            id INTEGER PRIMARY KEY,
            run INTEGER NOT NULL REFERENCES run (id),
            created TEXT NOT NULL,
            view TEXT NOT NULL
        ) STRICT;
CREATE TABLE succession (
            id INTEGER PRIMARY KEY,
            document INTEGER NOT NULL REFERENCES document (id),
            predecessor INTEGER REFERENCES document (id),
            linked TEXT NOT NULL,
            CHECK (document <> predecessor)
        ) STRICT;
INSERT INTO succession VALUES(1,2,1,'2026-11-29T09:46:32.889Z');
INSERT INTO succession VALUES(2,2,NULL,'2026-11-29T09:46:33.378Z');
INSERT INTO succession VALUES(3,2,1,'2026-11-29T09:46:33.479Z');
CREATE TABLE endpoint (name TEXT PRIMARY KEY, settings TEXT NOT NULL) STRICT, WITHOUT ROWID;
CREATE TABLE asking (
        id INTEGER PRIMARY KEY,
        purpose TEXT NOT NULL,
        endpoint TEXT NOT NULL,
        host TEXT NOT NULL,
        model TEXT NOT NULL,
        consent TEXT NOT NULL,
        started TEXT NOT NULL,
        state TEXT NOT NULL,
        ended TEXT
    ) STRICT;
CREATE TABLE request (
        id INTEGER PRIMARY KEY,
        asking INTEGER NOT NULL REFERENCES asking (id),
        key BLOB NOT NULL CHECK (length(key) = 32),
        state TEXT NOT NULL CHECK (state IN ('asked', 'answered', 'failed', 'uncertain', 'written')),
        reason TEXT NOT NULL,
        again INTEGER NOT NULL
    ) STRICT;
CREATE TABLE answer (
            key BLOB PRIMARY KEY CHECK (length(key) = 32),
            asking INTEGER NOT NULL REFERENCES asking (id),
            model TEXT NOT NULL,
            text TEXT NOT NULL,
            finish TEXT NOT NULL,
            prompt_tokens INTEGER,
            completion_tokens INTEGER,
            cost REAL,
            received TEXT NOT NULL
        ) STRICT;
CREATE TABLE person (
        id INTEGER PRIMARY KEY,
        uid TEXT NOT NULL UNIQUE,
        name TEXT NOT NULL UNIQUE,
        role TEXT NOT NULL,
        share INTEGER NOT NULL
    ) STRICT;
CREATE TABLE act (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            person INTEGER NOT NULL REFERENCES person (id),
            kind TEXT NOT NULL,
            packet TEXT,
            made TEXT NOT NULL
        ) STRICT;
CREATE TABLE decision (
            id INTEGER PRIMARY KEY,
            uid BLOB NOT NULL UNIQUE CHECK (length(uid) = 16),
            act INTEGER NOT NULL REFERENCES act (id),
            kind TEXT NOT NULL,
            first INTEGER NOT NULL,
            second INTEGER NOT NULL,
            person INTEGER NOT NULL REFERENCES person (id),
            choice TEXT NOT NULL,
            edit TEXT,
            reason TEXT NOT NULL,
            made TEXT NOT NULL,
            adjudicates INTEGER NOT NULL
        ) STRICT;
CREATE TABLE undo (
            decision BLOB PRIMARY KEY REFERENCES decision (uid),
            act INTEGER NOT NULL REFERENCES act (id),
            made TEXT NOT NULL
        ) STRICT, WITHOUT ROWID;
CREATE TABLE verdict (
        kind TEXT NOT NULL,
        first INTEGER NOT NULL,
        second INTEGER NOT NULL,
        status TEXT NOT NULL,
        choice TEXT,
        reviewers INTEGER NOT NULL,
        agreeing INTEGER NOT NULL,
        adjudicated INTEGER NOT NULL,
        text TEXT,
        class TEXT,
        into_term INTEGER,
        choices TEXT,
        PRIMARY KEY (kind, first, second)
    ) STRICT, WITHOUT ROWID;
CREATE TABLE packet (
            hash TEXT PRIMARY KEY,
            person INTEGER NOT NULL REFERENCES person (id),
            made TEXT NOT NULL,
            items INTEGER NOT NULL
        ) STRICT, WITHOUT ROWID;
CREATE TABLE definition (
        term INTEGER NOT NULL REFERENCES term (id),
        sentence INTEGER NOT NULL REFERENCES sentence (id),
        document INTEGER NOT NULL REFERENCES document (id),
        text TEXT NOT NULL,
        PRIMARY KEY (term, sentence)
    ) STRICT, WITHOUT ROWID;
CREATE TABLE term_name (
        term INTEGER NOT NULL REFERENCES term (id),
        name TEXT NOT NULL,
        source TEXT NOT NULL,
        PRIMARY KEY (term, name)
    ) STRICT, WITHOUT ROWID;
CREATE TABLE confusable (
        a INTEGER NOT NULL REFERENCES term (id),
        b INTEGER NOT NULL REFERENCES term (id),
        cosine REAL,
        spelling REAL NOT NULL,
        score REAL NOT NULL,
        place INTEGER NOT NULL,
        PRIMARY KEY (a, b),
        CHECK (a < b)
    ) STRICT, WITHOUT ROWID;
CREATE TABLE glossary (
        term INTEGER NOT NULL REFERENCES term (id),
        kind TEXT NOT NULL,
        value TEXT NOT NULL,
        source TEXT NOT NULL,
        file TEXT NOT NULL,
        PRIMARY KEY (term, kind, value, source)
    ) STRICT, WITHOUT ROWID;
CREATE TABLE graph_kept (
            name TEXT NOT NULL,
            block INTEGER NOT NULL,
            bytes BLOB NOT NULL CHECK (length(bytes) <= 1048576),
            PRIMARY KEY (name, block)
        ) STRICT, WITHOUT ROWID;
CREATE TABLE prompt_version (
            id INTEGER PRIMARY KEY,
            kind TEXT NOT NULL,
            language TEXT NOT NULL,
            version INTEGER NOT NULL,
            hash TEXT NOT NULL,
            text TEXT,
            saved TEXT NOT NULL,
            UNIQUE (kind, language, version)
        ) STRICT;
CREATE TABLE rejected_draft (
        id INTEGER PRIMARY KEY,
        reason TEXT NOT NULL,
        note TEXT NOT NULL,
        score REAL,
        level TEXT NOT NULL,
        source TEXT NOT NULL,
        attempt INTEGER NOT NULL,
        question TEXT NOT NULL,
        choices TEXT NOT NULL,
        answer INTEGER NOT NULL,
        rephrased TEXT,
        anchor_sentence INTEGER NOT NULL REFERENCES sentence (id)
    ) STRICT;
CREATE TABLE imprint (
        id INTEGER PRIMARY KEY,
        scope TEXT NOT NULL,
        part TEXT NOT NULL,
        marks BLOB NOT NULL,
        UNIQUE (scope, part)
    ) STRICT;
INSERT INTO imprint VALUES(1,'document 1','document',X'636f567a');
INSERT INTO imprint VALUES(2,'document 1','chunk',X'8a39b624');
INSERT INTO imprint VALUES(3,'document 1','page',X'b3bfddb9');
INSERT INTO imprint VALUES(4,'document 1','section',X'1a792d1c09191622268484b7');
INSERT INTO imprint VALUES(5,'document 1','sentence',X'57f1d02cadeafc888ea5e4d898308b1252ff5446');
INSERT INTO imprint VALUES(6,'document 2','document',X'e00b36ff');
INSERT INTO imprint VALUES(7,'document 2','chunk',X'09cf9474');
INSERT INTO imprint VALUES(8,'document 2','page',X'2ee488c0');
INSERT INTO imprint VALUES(9,'document 2','section',X'86831e671651328815c92e01');
INSERT INTO imprint VALUES(10,'document 2','sentence',X'f9674da97c8ff31702d7ede263046682261eb834');
INSERT INTO imprint VALUES(11,'document 2','succession',X'd5d7fb9186016b36cf11acd9');
INSERT INTO imprint VALUES(12,'answer 1','reply',X'954ed998');
CREATE TABLE revision (
        id INTEGER PRIMARY KEY CHECK (id = 1),
        mark BLOB NOT NULL CHECK (length(mark) = 16),
        before BLOB NOT NULL CHECK (length(before) = 16)
    ) STRICT;
INSERT INTO revision VALUES(1,X'5be476b96f9f6b379002e7619fab1415',X'8987ec612d3ebdecb97288066cd12669');
CREATE TABLE packet_held (
            packet TEXT PRIMARY KEY REFERENCES packet (hash),
            held TEXT NOT NULL
        ) STRICT, WITHOUT ROWID;
CREATE TABLE reply (
            id INTEGER PRIMARY KEY,
            asked TEXT NOT NULL,
            question TEXT NOT NULL,
            found INTEGER NOT NULL,
            citations INTEGER NOT NULL,
            answer TEXT NOT NULL
        ) STRICT;
INSERT INTO reply VALUES(1,'2026-11-29T09:46:33Z','Who pays the dues?',1,1,'{"id":null,"asked":"2026-11-29T09:46:33Z","question":"Who pays the dues?","found":true,"answer":"The master shall pay the dues within five days after the ship leaves the port.","statements":[{"text":"The master shall pay the dues within five days after the ship leaves the port.","citations":[0],"kept":true,"reason":null,"marks":[[17,20],[25,29]]}],"citations":[{"document":2,"title":"Harbour Dues Act","language":"en","page":1,"section":"Article 1","boxes":[],"quote":"The master shall pay the dues within five days after the ship leaves the port.","sentence":8,"external_id":null,"superseded_by":null}],"passages":[{"document":2,"title":"Harbour Dues Act","language":"en","page":1,"section":"Article 1","boxes":[],"quote":"The master shall pay the dues within five days after the ship leaves the port.","sentence":8,"external_id":null,"superseded_by":null,"text":"The master shall pay the dues within five days after the ship leaves the port.","score":1.0,"marks":[[17,20],[25,29]]},{"document":2,"title":"Harbour Dues Act","language":"en","page":1,"section":"Article 2","boxes":[],"quote":"This Act shall apply until 31 December 2025.","sentence":10,"external_id":null,"superseded_by":null,"text":"This Act shall apply until 31 December 2025.","score":0.10004940293171602,"marks":[]}],"premise":null,"terms":[],"notes":[{"note":"words_only"},{"note":"older_versions_left_out","documents":1}],"probability":0.9969449299828119,"threshold":0.6,"certificate":{"alpha":0.05,"confidence":0.95,"n":0,"wrong":0,"answered_share":null,"valid":false,"reason":"not_measured","needed":59,"made":null},"model":"extractive","adapter":null,"written":null,"index":{"mode":"lexical","clauses":14,"tokeniser":"words (English stemmed, stop words out), CJK bigrams, pairs of words at half weight, of bigrams at a tenth","encoder":"","ranker":null},"corpus_hash":"113271ac5d2d2ebd95f7acb356446b0f71ea8a586fcac25015a7bad8b611c046","documents":2,"as_of":"2026-11-29","audit_entry":null}');
CREATE TABLE reply_verdict (
            id INTEGER PRIMARY KEY,
            reply INTEGER NOT NULL REFERENCES reply (id),
            judged TEXT NOT NULL,
            actor TEXT NOT NULL,
            verdict TEXT NOT NULL
        ) STRICT;
CREATE TABLE pair (
            id INTEGER PRIMARY KEY,
            name TEXT NOT NULL,
            question TEXT NOT NULL,
            passages TEXT NOT NULL,
            answer TEXT,
            source TEXT NOT NULL
        ) STRICT;
CREATE TABLE certificate (id INTEGER PRIMARY KEY, made TEXT NOT NULL, body TEXT NOT NULL) STRICT;
CREATE TABLE embedding_source (
        name TEXT NOT NULL,
        part INTEGER NOT NULL,
        reading TEXT NOT NULL,
        marks BLOB NOT NULL,
        PRIMARY KEY (name, part)
    ) STRICT;
CREATE TABLE run (
            id INTEGER PRIMARY KEY,
            recipe TEXT NOT NULL,
            base TEXT NOT NULL,
            dataset INTEGER REFERENCES dataset (id),
            bundle TEXT NOT NULL,
            spec TEXT NOT NULL,
            started TEXT NOT NULL,
            state TEXT NOT NULL,
            stage TEXT NOT NULL,
            step INTEGER NOT NULL,
            of INTEGER NOT NULL,
            best INTEGER,
            adapter TEXT,
            loss REAL,
            eta_s REAL,
            failure TEXT
        ) STRICT;
CREATE TABLE ranker (id INTEGER PRIMARY KEY, made TEXT NOT NULL, body TEXT NOT NULL) STRICT;
CREATE TABLE reply_preference (
            id INTEGER PRIMARY KEY,
            first INTEGER NOT NULL REFERENCES reply (id),
            second INTEGER NOT NULL REFERENCES reply (id),
            preferred TEXT NOT NULL,
            blind INTEGER NOT NULL,
            judged TEXT NOT NULL,
            actor TEXT NOT NULL,
            CHECK (first <> second)
        ) STRICT;
CREATE TABLE outcome (
            id INTEGER PRIMARY KEY,
            dataset INTEGER NOT NULL REFERENCES dataset (id),
            scorer TEXT NOT NULL,
            base TEXT NOT NULL,
            adapter TEXT,
            body TEXT NOT NULL
        ) STRICT;
CREATE TABLE deployment (
            id INTEGER PRIMARY KEY,
            made TEXT NOT NULL,
            action TEXT NOT NULL,
            kind TEXT NOT NULL,
            run INTEGER REFERENCES run (id),
            back INTEGER REFERENCES deployment (id),
            body TEXT NOT NULL
        ) STRICT;
CREATE TABLE drift_sample (
            id INTEGER PRIMARY KEY,
            made TEXT NOT NULL,
            encoder TEXT NOT NULL,
            body TEXT NOT NULL
        ) STRICT;
CREATE TABLE bench_score (
            id INTEGER PRIMARY KEY,
            system TEXT NOT NULL,
            item TEXT NOT NULL,
            scores TEXT NOT NULL,
            UNIQUE (system, item)
        ) STRICT;
CREATE TABLE matching (id INTEGER PRIMARY KEY, made TEXT NOT NULL, actor TEXT NOT NULL, body TEXT NOT NULL) STRICT;
CREATE TABLE match_decision (
            id INTEGER PRIMARY KEY,
            rule INTEGER NOT NULL,
            made TEXT NOT NULL,
            actor TEXT NOT NULL,
            body TEXT NOT NULL
        ) STRICT;
CREATE TABLE exam (
        name TEXT PRIMARY KEY,
        about TEXT NOT NULL,
        items TEXT NOT NULL
    ) STRICT, WITHOUT ROWID;
CREATE TABLE triplet (
            id INTEGER PRIMARY KEY,
            sentence INTEGER REFERENCES sentence (id),
            maker TEXT NOT NULL,
            key TEXT NOT NULL,
            language TEXT NOT NULL,
            source TEXT NOT NULL,
            positive TEXT NOT NULL,
            negative TEXT NOT NULL,
            shift TEXT NOT NULL,
            origin TEXT NOT NULL,
            margin REAL,
            split TEXT NOT NULL,
            near_group INTEGER NOT NULL,
            cluster INTEGER NOT NULL,
            reason TEXT
        ) STRICT;
CREATE TABLE triplet_decision (
            id INTEGER PRIMARY KEY,
            key TEXT NOT NULL,
            status TEXT NOT NULL,
            note TEXT NOT NULL,
            made TEXT NOT NULL,
            actor TEXT NOT NULL
        ) STRICT;
CREATE TABLE triplet_known (
        id INTEGER PRIMARY KEY,
        key TEXT NOT NULL UNIQUE
    ) STRICT;
CREATE TABLE similarity_draw (
            id INTEGER PRIMARY KEY,
            record TEXT NOT NULL,
            made TEXT NOT NULL,
            actor TEXT NOT NULL
        ) STRICT;
CREATE TABLE similarity_pair (
            id INTEGER PRIMARY KEY,
            draw INTEGER NOT NULL REFERENCES similarity_draw (id),
            language TEXT NOT NULL,
            one TEXT NOT NULL,
            other TEXT NOT NULL,
            one_place TEXT NOT NULL,
            other_place TEXT NOT NULL,
            cosine REAL NOT NULL,
            stratum INTEGER NOT NULL
        ) STRICT;
DELETE FROM sqlite_sequence;
CREATE INDEX audit_of_scope ON audit (covers, sequence);
CREATE TRIGGER audit_is_never_changed BEFORE UPDATE ON audit BEGIN SELECT RAISE(ABORT, 'rows of audit are never changed'); END;
CREATE TRIGGER audit_is_never_deleted BEFORE DELETE ON audit BEGIN SELECT RAISE(ABORT, 'rows of audit are never deleted'); END;
CREATE TRIGGER document_is_never_changed BEFORE UPDATE ON document BEGIN SELECT RAISE(ABORT, 'rows of document are never changed'); END;
CREATE TRIGGER document_is_never_deleted BEFORE DELETE ON document BEGIN SELECT RAISE(ABORT, 'rows of document are never deleted'); END;
CREATE TRIGGER chunk_is_never_changed BEFORE UPDATE ON chunk BEGIN SELECT RAISE(ABORT, 'rows of chunk are never changed'); END;
CREATE TRIGGER chunk_is_never_deleted BEFORE DELETE ON chunk BEGIN SELECT RAISE(ABORT, 'rows of chunk are never deleted'); END;
CREATE TRIGGER page_is_never_changed BEFORE UPDATE ON page BEGIN SELECT RAISE(ABORT, 'rows of page are never changed'); END;
CREATE TRIGGER page_is_never_deleted BEFORE DELETE ON page BEGIN SELECT RAISE(ABORT, 'rows of page are never deleted'); END;
CREATE INDEX section_of_document ON section (document, id);
CREATE TRIGGER section_is_never_changed BEFORE UPDATE ON section BEGIN SELECT RAISE(ABORT, 'rows of section are never changed'); END;
CREATE TRIGGER section_is_never_deleted BEFORE DELETE ON section BEGIN SELECT RAISE(ABORT, 'rows of section are never deleted'); END;
CREATE INDEX sentence_of_page ON sentence (document, page, id);
CREATE TRIGGER sentence_is_never_changed BEFORE UPDATE ON sentence BEGIN SELECT RAISE(ABORT, 'rows of sentence are never changed'); END;
CREATE TRIGGER sentence_is_never_deleted BEFORE DELETE ON sentence BEGIN SELECT RAISE(ABORT, 'rows of sentence are never deleted'); END;
CREATE TRIGGER full_text_length_is_never_changed BEFORE UPDATE ON full_text_length BEGIN SELECT RAISE(ABORT, 'rows of full_text_length are never changed'); END;
CREATE TRIGGER full_text_length_is_never_deleted BEFORE DELETE ON full_text_length BEGIN SELECT RAISE(ABORT, 'rows of full_text_length are never deleted'); END;
CREATE INDEX mention_of_term ON mention (term, sentence);
CREATE TRIGGER graph_build_is_never_changed BEFORE UPDATE ON graph_build BEGIN SELECT RAISE(ABORT, 'rows of graph_build are never changed'); END;
CREATE TRIGGER graph_build_is_never_deleted BEFORE DELETE ON graph_build BEGIN SELECT RAISE(ABORT, 'rows of graph_build are never deleted'); END;
CREATE INDEX edge_back ON edge (kind, b, a, weight);
CREATE INDEX qca_narrow ON qca (id, level, type, split);
CREATE TRIGGER dataset_is_never_changed BEFORE UPDATE ON dataset BEGIN SELECT RAISE(ABORT, 'rows of dataset are never changed'); END;
CREATE TRIGGER dataset_is_never_deleted BEFORE DELETE ON dataset BEGIN SELECT RAISE(ABORT, 'rows of dataset are never deleted'); END;
CREATE TRIGGER dataset_item_is_never_changed BEFORE UPDATE ON dataset_item BEGIN SELECT RAISE(ABORT, 'rows of dataset_item are never changed'); END;
CREATE TRIGGER dataset_item_is_never_deleted BEFORE DELETE ON dataset_item BEGIN SELECT RAISE(ABORT, 'rows of dataset_item are never deleted'); END;
CREATE INDEX evaluation_of_run ON evaluation (run, id);
CREATE TRIGGER evaluation_is_never_changed BEFORE UPDATE ON evaluation BEGIN SELECT RAISE(ABORT, 'rows of evaluation are never changed'); END;
CREATE TRIGGER evaluation_is_never_deleted BEFORE DELETE ON evaluation BEGIN SELECT RAISE(ABORT, 'rows of evaluation are never deleted'); END;
CREATE INDEX succession_of_document ON succession (document, id);
CREATE TRIGGER succession_is_never_changed BEFORE UPDATE ON succession BEGIN SELECT RAISE(ABORT, 'rows of succession are never changed'); END;
CREATE TRIGGER succession_is_never_deleted BEFORE DELETE ON succession BEGIN SELECT RAISE(ABORT, 'rows of succession are never deleted'); END;
CREATE TRIGGER asking_is_never_deleted BEFORE DELETE ON asking
    BEGIN SELECT RAISE(ABORT, 'rows of asking are never deleted'); END;
CREATE INDEX request_of_key ON request (key);
CREATE INDEX request_of_asking ON request (asking);
CREATE TRIGGER request_is_never_deleted BEFORE DELETE ON request
    BEGIN SELECT RAISE(ABORT, 'rows of request are never deleted'); END;
CREATE INDEX answer_of_asking ON answer (asking);
CREATE TRIGGER answer_is_never_changed BEFORE UPDATE ON answer BEGIN SELECT RAISE(ABORT, 'rows of answer are never changed'); END;
CREATE TRIGGER answer_is_never_deleted BEFORE DELETE ON answer BEGIN SELECT RAISE(ABORT, 'rows of answer are never deleted'); END;
CREATE TRIGGER person_is_never_deleted BEFORE DELETE ON person
    BEGIN SELECT RAISE(ABORT, 'rows of person are never deleted'); END;
CREATE INDEX act_of_person ON act (person, kind, id);
CREATE TRIGGER act_is_never_changed BEFORE UPDATE ON act BEGIN SELECT RAISE(ABORT, 'rows of act are never changed'); END;
CREATE TRIGGER act_is_never_deleted BEFORE DELETE ON act BEGIN SELECT RAISE(ABORT, 'rows of act are never deleted'); END;
CREATE INDEX decision_of_item ON decision (kind, first, second);
CREATE INDEX decision_of_act ON decision (act);
CREATE INDEX decision_of_person ON decision (person, made);
CREATE TRIGGER decision_is_never_changed BEFORE UPDATE ON decision BEGIN SELECT RAISE(ABORT, 'rows of decision are never changed'); END;
CREATE TRIGGER decision_is_never_deleted BEFORE DELETE ON decision BEGIN SELECT RAISE(ABORT, 'rows of decision are never deleted'); END;
CREATE INDEX undo_of_act ON undo (act);
CREATE TRIGGER undo_is_never_changed BEFORE UPDATE ON undo BEGIN SELECT RAISE(ABORT, 'rows of undo are never changed'); END;
CREATE TRIGGER undo_is_never_deleted BEFORE DELETE ON undo BEGIN SELECT RAISE(ABORT, 'rows of undo are never deleted'); END;
CREATE INDEX verdict_by_status ON verdict (kind, status);
CREATE TRIGGER packet_is_never_changed BEFORE UPDATE ON packet BEGIN SELECT RAISE(ABORT, 'rows of packet are never changed'); END;
CREATE TRIGGER packet_is_never_deleted BEFORE DELETE ON packet BEGIN SELECT RAISE(ABORT, 'rows of packet are never deleted'); END;
CREATE INDEX term_by_score ON term (score DESC, id, found, class, language);
CREATE INDEX verdict_of_second ON verdict (second, kind) WHERE second <> 0;
CREATE INDEX verdict_into ON verdict (into_term) WHERE into_term IS NOT NULL;
CREATE INDEX definition_in ON definition (sentence);
CREATE INDEX confusable_of_b ON confusable (b, a);
CREATE INDEX confusable_by_place ON confusable (place, score DESC, a, b);
CREATE TRIGGER prompt_version_is_never_changed BEFORE UPDATE ON prompt_version BEGIN SELECT RAISE(ABORT, 'rows of prompt_version are never changed'); END;
CREATE TRIGGER prompt_version_is_never_deleted BEFORE DELETE ON prompt_version BEGIN SELECT RAISE(ABORT, 'rows of prompt_version are never deleted'); END;
CREATE INDEX rejected_draft_narrow ON rejected_draft (reason, level, id);
CREATE INDEX qca_of_sentence ON qca (anchor_sentence);
CREATE INDEX qca_of_term ON qca (anchor_term) WHERE anchor_term IS NOT NULL;
CREATE TRIGGER packet_held_is_never_changed BEFORE UPDATE ON packet_held BEGIN SELECT RAISE(ABORT, 'rows of packet_held are never changed'); END;
CREATE TRIGGER packet_held_is_never_deleted BEFORE DELETE ON packet_held BEGIN SELECT RAISE(ABORT, 'rows of packet_held are never deleted'); END;
CREATE INDEX reply_verdict_of ON reply_verdict (reply, id);
CREATE TRIGGER reply_is_never_changed BEFORE UPDATE ON reply BEGIN SELECT RAISE(ABORT, 'rows of reply are never changed'); END;
CREATE TRIGGER reply_is_never_deleted BEFORE DELETE ON reply BEGIN SELECT RAISE(ABORT, 'rows of reply are never deleted'); END;
CREATE TRIGGER reply_verdict_is_never_changed BEFORE UPDATE ON reply_verdict BEGIN SELECT RAISE(ABORT, 'rows of reply_verdict are never changed'); END;
CREATE TRIGGER reply_verdict_is_never_deleted BEFORE DELETE ON reply_verdict BEGIN SELECT RAISE(ABORT, 'rows of reply_verdict are never deleted'); END;
CREATE INDEX pair_by_name ON pair (name, id);
CREATE TRIGGER pair_is_never_changed BEFORE UPDATE ON pair BEGIN SELECT RAISE(ABORT, 'rows of pair are never changed'); END;
CREATE TRIGGER pair_is_never_deleted BEFORE DELETE ON pair BEGIN SELECT RAISE(ABORT, 'rows of pair are never deleted'); END;
CREATE TRIGGER certificate_is_never_changed BEFORE UPDATE ON certificate BEGIN SELECT RAISE(ABORT, 'rows of certificate are never changed'); END;
CREATE TRIGGER certificate_is_never_deleted BEFORE DELETE ON certificate BEGIN SELECT RAISE(ABORT, 'rows of certificate are never deleted'); END;
CREATE TRIGGER run_is_never_deleted BEFORE DELETE ON run
        BEGIN SELECT RAISE(ABORT, 'rows of run are never deleted'); END;
CREATE TRIGGER ranker_is_never_changed BEFORE UPDATE ON ranker BEGIN SELECT RAISE(ABORT, 'rows of ranker are never changed'); END;
CREATE TRIGGER ranker_is_never_deleted BEFORE DELETE ON ranker BEGIN SELECT RAISE(ABORT, 'rows of ranker are never deleted'); END;
CREATE INDEX reply_preference_of ON reply_preference (first, id);
CREATE TRIGGER reply_preference_is_never_changed BEFORE UPDATE ON reply_preference BEGIN SELECT RAISE(ABORT, 'rows of reply_preference are never changed'); END;
CREATE TRIGGER reply_preference_is_never_deleted BEFORE DELETE ON reply_preference BEGIN SELECT RAISE(ABORT, 'rows of reply_preference are never deleted'); END;
CREATE INDEX outcome_of_dataset ON outcome (dataset, id);
CREATE TRIGGER outcome_is_never_changed BEFORE UPDATE ON outcome BEGIN SELECT RAISE(ABORT, 'rows of outcome are never changed'); END;
CREATE TRIGGER outcome_is_never_deleted BEFORE DELETE ON outcome BEGIN SELECT RAISE(ABORT, 'rows of outcome are never deleted'); END;
CREATE TRIGGER deployment_is_never_changed BEFORE UPDATE ON deployment BEGIN SELECT RAISE(ABORT, 'rows of deployment are never changed'); END;
CREATE TRIGGER deployment_is_never_deleted BEFORE DELETE ON deployment BEGIN SELECT RAISE(ABORT, 'rows of deployment are never deleted'); END;
CREATE TRIGGER drift_sample_is_never_changed BEFORE UPDATE ON drift_sample BEGIN SELECT RAISE(ABORT, 'rows of drift_sample are never changed'); END;
CREATE TRIGGER drift_sample_is_never_deleted BEFORE DELETE ON drift_sample BEGIN SELECT RAISE(ABORT, 'rows of drift_sample are never deleted'); END;
CREATE TRIGGER bench_score_is_never_changed BEFORE UPDATE ON bench_score BEGIN SELECT RAISE(ABORT, 'rows of bench_score are never changed'); END;
CREATE TRIGGER bench_score_is_never_deleted BEFORE DELETE ON bench_score BEGIN SELECT RAISE(ABORT, 'rows of bench_score are never deleted'); END;
CREATE TRIGGER matching_is_never_changed BEFORE UPDATE ON matching BEGIN SELECT RAISE(ABORT, 'rows of matching are never changed'); END;
CREATE TRIGGER matching_is_never_deleted BEFORE DELETE ON matching BEGIN SELECT RAISE(ABORT, 'rows of matching are never deleted'); END;
CREATE INDEX match_decision_of ON match_decision (rule, id);
CREATE TRIGGER match_decision_is_never_changed BEFORE UPDATE ON match_decision BEGIN SELECT RAISE(ABORT, 'rows of match_decision are never changed'); END;
CREATE TRIGGER match_decision_is_never_deleted BEFORE DELETE ON match_decision BEGIN SELECT RAISE(ABORT, 'rows of match_decision are never deleted'); END;
CREATE TRIGGER exam_is_never_changed BEFORE UPDATE ON exam
        BEGIN SELECT RAISE(ABORT, 'rows of exam are never changed'); END;
CREATE INDEX triplet_by_key ON triplet (key);
CREATE INDEX triplet_decision_of ON triplet_decision (key, id);
CREATE TRIGGER triplet_decision_is_never_changed BEFORE UPDATE ON triplet_decision BEGIN SELECT RAISE(ABORT, 'rows of triplet_decision are never changed'); END;
CREATE TRIGGER triplet_decision_is_never_deleted BEFORE DELETE ON triplet_decision BEGIN SELECT RAISE(ABORT, 'rows of triplet_decision are never deleted'); END;
CREATE TRIGGER similarity_draw_is_never_changed BEFORE UPDATE ON similarity_draw BEGIN SELECT RAISE(ABORT, 'rows of similarity_draw are never changed'); END;
CREATE TRIGGER similarity_draw_is_never_deleted BEFORE DELETE ON similarity_draw BEGIN SELECT RAISE(ABORT, 'rows of similarity_draw are never deleted'); END;
CREATE TRIGGER similarity_pair_is_never_changed BEFORE UPDATE ON similarity_pair BEGIN SELECT RAISE(ABORT, 'rows of similarity_pair are never changed'); END;
CREATE TRIGGER similarity_pair_is_never_deleted BEFORE DELETE ON similarity_pair BEGIN SELECT RAISE(ABORT, 'rows of similarity_pair are never deleted'); END;
PRAGMA writable_schema=OFF;
COMMIT;
