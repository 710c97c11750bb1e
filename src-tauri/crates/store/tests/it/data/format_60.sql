-- A workspace as the version of format 60 made it, as sqlite3's .dump writes it: one document, two questions, decisions,
-- and a row in each table, checkpoint among them.
PRAGMA application_id = 1281718342;
PRAGMA user_version = 60;
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
INSERT INTO audit VALUES(1,'2026-11-23T18:39:45.492Z','lexforge','workspace.create','workspace','',NULL,X'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',X'0000000000000000000000000000000000000000000000000000000000000000',X'ed8896a672ee4032da523b488202cd93376dc0c2909b998af925b8676646bf97');
INSERT INTO audit VALUES(2,'2026-11-23T18:39:45.546Z','tester','document.import','document 1','','document 1',X'815d75eab6f0e6b3065966b5eacfc868ed779ccf1dcc77506772dba298303d0a',X'ed8896a672ee4032da523b488202cd93376dc0c2909b998af925b8676646bf97',X'b33abc90412e56fdd59b1b55f50fce48b8a2e17b96a5a7368c5bbca814092a90');
INSERT INTO audit VALUES(3,'2026-11-23T18:39:45.547Z','tester','terms.extract','terms','policy: unreviewed (automatic)','terms',X'76971b2d39f3b1f117162e023dcaf81436bbcc54af215001747aed1786ff8a3e',X'b33abc90412e56fdd59b1b55f50fce48b8a2e17b96a5a7368c5bbca814092a90',X'cf6090f6a893fa701106af9a3a685d6c99c3372515d3a968337d8949f34bb37d');
INSERT INTO audit VALUES(4,'2026-11-23T18:39:45.547Z','tester','setting.set','setting theme','','setting theme',X'68cf7aecec49f0505d8c924140261c166f81222152c648cdc4af5573207b41cb',X'cf6090f6a893fa701106af9a3a685d6c99c3372515d3a968337d8949f34bb37d',X'bc06b5e36b8e6355faafb7ffcdfaea9196fe306aed3ade320417ed3ccb34e073');
INSERT INTO audit VALUES(5,'2026-11-23T18:39:45.547Z','tester','embeddings.put','embeddings sentence lsa','','embeddings sentence lsa',X'1d21f107cf86838723db70cde7c2931aa78a5f021f8a6b78feed07a207a9fb8d',X'bc06b5e36b8e6355faafb7ffcdfaea9196fe306aed3ade320417ed3ccb34e073',X'574db939a2a3e9e00203888309484dc66839c8aa1c6531231566661d704cff5b');
INSERT INTO audit VALUES(6,'2026-11-23T18:39:45.547Z','tester','graph.build','graph','','graph',X'bf6015390d1eb839ac3bcf07be8687d14582a54ce79ec2ee8e63ad09c5b7b53c',X'574db939a2a3e9e00203888309484dc66839c8aa1c6531231566661d704cff5b',X'834357f6714fbab56e9a7755ae09e245e7f132dbde70f4338d2e7919af4d2185');
INSERT INTO audit VALUES(7,'2026-11-23T18:39:45.547Z','tester','questions.augment','questions','','questions',X'fc3fba831ec13cbdfbb397861afe17c7c9c1e3883178497b82e0b2f9b3eaaf4b',X'834357f6714fbab56e9a7755ae09e245e7f132dbde70f4338d2e7919af4d2185',X'd8a6cc61c5308fd225ce05869d7bf63583c5e8c7fd88ff017b6d49a4a36da948');
INSERT INTO audit VALUES(8,'2026-11-23T18:39:45.548Z','tester','dataset.freeze','dataset 1','','dataset 1',X'4139541420cc1ceed84b29a4d015ada6ea87eea4838be6875f7cd9022e890f50',X'd8a6cc61c5308fd225ce05869d7bf63583c5e8c7fd88ff017b6d49a4a36da948',X'79431a0c23ea3bbe45af2dd28cc5537d1e08eda6f58b3b331e7c581b24d18cc5');
INSERT INTO audit VALUES(9,'2026-11-23T18:39:45.548Z','tester','run.create','run 1','','run 1',X'd8de893389ee05c47f69fd4b771b6fa0a88dd7d92c2b37e969f9e990e375f6f5',X'79431a0c23ea3bbe45af2dd28cc5537d1e08eda6f58b3b331e7c581b24d18cc5',X'1ebafee14f9e7dc2fe048611b2b6ba4f7830c20b7779c0109956c04cb87cade9');
INSERT INTO audit VALUES(10,'2026-11-23T18:39:45.548Z','tester','checkpoint.write','checkpoint 1','','checkpoint 1',X'bfe69fc1dfd6b4f58e806213c84eea55e595b4067ef07173295a325044df6a5c',X'1ebafee14f9e7dc2fe048611b2b6ba4f7830c20b7779c0109956c04cb87cade9',X'37c1190a3a2385cb0fda8bc2b312dc908aa0fd75c819cb44236b208fedf07826');
INSERT INTO audit VALUES(11,'2026-11-23T18:39:45.548Z','tester','evaluation.put','evaluation 1','','evaluation 1',X'bba19f0a44707c79a47cb5d7f1a0a5ead69d189a846189ddb9995eda50f0743f',X'37c1190a3a2385cb0fda8bc2b312dc908aa0fd75c819cb44236b208fedf07826',X'a294c3bb8d5b64284b09b4738c00a07832065dbdd7522a013d6974204b425cf1');
INSERT INTO audit VALUES(12,'2026-11-23T18:39:45.548Z','tester','endpoint.put','endpoint firm','','endpoint firm',X'2339db23e1ccbde557fdc9f30978e88180d8bc7f366d8f22475e9afdf5fb9856',X'a294c3bb8d5b64284b09b4738c00a07832065dbdd7522a013d6974204b425cf1',X'44c723954c3e884329c1f05352b8c53a112125d9c2ab7da217b130f9b62ff430');
INSERT INTO audit VALUES(13,'2026-11-23T18:39:45.548Z','tester','asking.begin','asking 1','','asking 1',X'c1828c9e17c4ffbb0a33adff0e724bdad0ef99d363700b9ecd1087062a5c1b83',X'44c723954c3e884329c1f05352b8c53a112125d9c2ab7da217b130f9b62ff430',X'8fe72cf11ee147da2e587c3948e1962d0b84f1b73ae1b996979cf1f56d80945e');
INSERT INTO audit VALUES(14,'2026-11-23T18:39:45.548Z','tester','asking.finished','asking 1','','asking 1',X'5cb6e0e30c183735d5d22c807f7ae89d72e2bd05777a9e7bdef10e26b0f23a64',X'8fe72cf11ee147da2e587c3948e1962d0b84f1b73ae1b996979cf1f56d80945e',X'0b39fee1832f6658490258a307d1dbe093de880dfff448b095c2deae93bde566');
INSERT INTO audit VALUES(15,'2026-11-23T18:39:45.562Z','tester','person.put','person 1','','person 1',X'4adc30d8dc359fc2f6b289bcdd7d6a779ecb2b50a3003a29bb63bfa2bc19b196',X'0b39fee1832f6658490258a307d1dbe093de880dfff448b095c2deae93bde566',X'6c66838486367132503cf71c390280e9a30b046d28e247925aea6fa17690ca68');
INSERT INTO audit VALUES(16,'2026-11-23T18:39:45.562Z','tester','person.put','person 2','','person 2',X'49bcb41bcf7f3bf2f676f90dea26bec398a2b1761e114c6e73f688547d0d4135',X'6c66838486367132503cf71c390280e9a30b046d28e247925aea6fa17690ca68',X'ed51ba8aeaba3137c2885b462f7a6fced48a28fcf9c0cd75e6eacfbc5933ad16');
INSERT INTO audit VALUES(17,'2026-11-23T18:39:45.562Z','tester','review.accept','act 1','read twice','act 1',X'8f80c57e437b5cb2d44b8e5665f69a918f887a7cce682c4d97bba4828b891b38',X'ed51ba8aeaba3137c2885b462f7a6fced48a28fcf9c0cd75e6eacfbc5933ad16',X'015ba4dd8d4f4cd3c50df6210f1eb4f853decbb8eacaa87b46fc81f6ed769ea2');
INSERT INTO audit VALUES(18,'2026-11-23T18:39:45.562Z','tester','review.reject','act 2','read twice','act 2',X'0ce7df2f4ecaaba27fef7881985ac2982b301f0a61c6396bd3a5206a345a264a',X'015ba4dd8d4f4cd3c50df6210f1eb4f853decbb8eacaa87b46fc81f6ed769ea2',X'd76dabd31d9616db6f9f4f24d36a4e56dd366ecd2f4d65fc675282a946bdee71');
INSERT INTO audit VALUES(19,'2026-11-23T18:39:45.563Z','tester','review.undo','act 3','takes back act 2','act 3',X'0eec651a2299e4b323f02b8b0356ef887f58bfe573723075e4be72bf14b3ece1',X'd76dabd31d9616db6f9f4f24d36a4e56dd366ecd2f4d65fc675282a946bdee71',X'24294048276a036e626312588428a4cb70887a64fc45d054cbfa5309a95b9aac');
INSERT INTO audit VALUES(20,'2026-11-23T18:39:45.563Z','tester','review.confusable','act 4','read twice','act 4',X'7c2475f5fc5c80434edf1c8c7f7af942ee75f6a4e7ce3d7b5699ba70b4ff86fb',X'24294048276a036e626312588428a4cb70887a64fc45d054cbfa5309a95b9aac',X'5ecf9e96ae991f773792b1b58d434a99ec01708e707b8438aed72962b1e54bd4');
INSERT INTO audit VALUES(21,'2026-11-23T18:39:45.563Z','tester','review.accept','act 5','read twice','act 5',X'dd71d936fba5216f9769decbdc5e08aac2398e29f76847605158324d7c8c29da',X'5ecf9e96ae991f773792b1b58d434a99ec01708e707b8438aed72962b1e54bd4',X'47daac908e372e96822712d232b8d0ef71b7d581cc92d58321576f93e5eacb5f');
INSERT INTO audit VALUES(22,'2026-11-23T18:39:45.563Z','tester','packet.write','packet abababababababababababababababababababababababababababababababab','read twice','packet abababababababababababababababababababababababababababababababab',X'56408c7cf61719d3337a58048dbc0c6188fb10e72d0f11278532b08f522cf461',X'47daac908e372e96822712d232b8d0ef71b7d581cc92d58321576f93e5eacb5f',X'454cb75c517709078f6f440e4c7c2409ba75ae05466485627f1eb2280ee3fcae');
INSERT INTO audit VALUES(23,'2026-11-23T18:39:45.563Z','tester','review.merge','act 6','read twice','act 6',X'1fb6f6eaa5d9e38cfee70c006b2f8b7a27fdf8cd71f83fb16e85221be9120f4f',X'454cb75c517709078f6f440e4c7c2409ba75ae05466485627f1eb2280ee3fcae',X'8dabc5353f0db3c38861e7a8bbc3ab66e3292fd24d234c1d22ddad9b1a026fc2');
CREATE TABLE setting (key TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID;
INSERT INTO setting VALUES('theme','dark');
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
INSERT INTO document VALUES(1,'03691d150c12d51ad46e6372cfe65a531eafa8211bb7b3c54e21cd6df46e5599','rulebook.pdf','Rulebook','pdf','en',2,4,0,2,0,0,0.99899999999999999911,'[{"code":"readers_differ","page":2,"message":"two words"}]',40,'2026-11-23T18:39:45.545Z',NULL);
CREATE TABLE chunk (
            id INTEGER PRIMARY KEY,
            document INTEGER NOT NULL REFERENCES document (id),
            position INTEGER NOT NULL,
            sha256 BLOB NOT NULL CHECK (length(sha256) = 32),
            bytes BLOB NOT NULL CHECK (length(bytes) <= 1048576),
            UNIQUE (document, position)
        ) STRICT;
INSERT INTO chunk VALUES(1,1,0,X'03691d150c12d51ad46e6372cfe65a531eafa8211bb7b3c54e21cd6df46e5599',X'07070707070707070707070707070707070707070707070707070707070707070707070707070707');
CREATE TABLE page (
            id INTEGER PRIMARY KEY,
            document INTEGER NOT NULL REFERENCES document (id),
            number INTEGER NOT NULL,
            width REAL NOT NULL,
            height REAL NOT NULL,
            engine TEXT NOT NULL,
            agreement REAL,
            scanned INTEGER NOT NULL,
            text TEXT NOT NULL, differences TEXT,
            UNIQUE (document, number)
        ) STRICT;
INSERT INTO page VALUES(1,1,1,595.0,842.0,'hayro',0.99899999999999999911,0,replace('A bank shall hold own funds of at least 8 percent of its risk exposure.\nOwn funds means the sum of core capital and additional capital.','\n',char(10)),NULL);
INSERT INTO page VALUES(2,1,2,595.0,842.0,'hayro',0.99899999999999999911,0,replace('A broker must not lend client money to a related party.\n商业银行应当建立资本充足率管理制度。','\n',char(10)),NULL);
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
INSERT INTO section VALUES(1,1,NULL,0,'Part I','','Part I',1,4);
INSERT INTO section VALUES(2,1,1,1,'Article 1','','Part I › Article 1',1,2);
INSERT INTO section VALUES(3,1,1,1,'Article 2','','Part I › Article 2',2,2);
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
INSERT INTO sentence VALUES(1,1,0,1,2,'rule','A bank shall hold own funds of at least 8 percent of its risk exposure.',X'01000000000090420000c8420000fa430000e142',0,71,NULL,NULL);
INSERT INTO sentence VALUES(2,1,1,1,2,'rule','Own funds means the sum of core capital and additional capital.',X'01000000000090420000c8420000fa430000e142',0,63,NULL,NULL);
INSERT INTO sentence VALUES(3,1,2,2,3,'rule','A broker must not lend client money to a related party.',X'02000000000090420000c8420000fa430000e142',0,55,NULL,NULL);
INSERT INTO sentence VALUES(4,1,3,2,3,'rule','商业银行应当建立资本充足率管理制度。',X'02000000000090420000c8420000fa430000e142',0,18,NULL,NULL);
PRAGMA writable_schema=ON;
INSERT INTO sqlite_schema(type,name,tbl_name,rootpage,sql)VALUES('table','full_text','full_text',0,'CREATE VIRTUAL TABLE full_text USING fts5 (words, content = '''', columnsize = 0, tokenize = ''ascii'')');
CREATE TABLE IF NOT EXISTS 'full_text_data'(id INTEGER PRIMARY KEY, block BLOB);
INSERT INTO full_text_data VALUES(1,X'042b');
INSERT INTO full_text_data VALUES(10,X'000000010101010001010101');
INSERT INTO full_text_data VALUES(137438953473,X'0000018702303801020801056164646974020208010462616e6b0102020205726f6b6572030202010563617069740204070402056c69656e7403020602036f726502020601076578706f73757201020b010466756e640102060102030104686f6c6401020401056c6561737401020703026e6403020501046d65616e02020402046f6e6579030207020375737403020301036e6f7403020401036f776e010205010202010570617274690302090206657263656e74010209010572656c6174030208020369736b01020a01057368616c6c0102030202756d0202050106e4b89ae993b60402030106e58585e8b6b304020c020588b6e5baa604021102059586e4b89a0402020205ba94e5bd930402060301a60402120205bbbae7ab8b0402080205bd93e5bbba0402070106e69cace5858504020b0106e78e87e7aea104020e02059086e588b60402100205ab8be8b5840402090205aea1e7908604020f0106e8a18ce5ba940402050205b584e69cac04020a0205b6b3e78e8704020d0106e993b6e8a18c04020404060a090a0b0a080c0c090a07090908080b0a0b0a080a070b0b0a0a0a060a0a0b0b0a0a0a0b0a0a');
CREATE TABLE IF NOT EXISTS 'full_text_idx'(segid, term, pgno, PRIMARY KEY(segid, term)) WITHOUT ROWID;
INSERT INTO full_text_idx VALUES(1,X'',2);
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
INSERT INTO full_text_length VALUES(1,1,X'0a00080008001100');
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
INSERT INTO term VALUES(1,'en','own funds','own funds','phrase','unreviewed',3.0,2,NULL,NULL,NULL,'');
INSERT INTO term VALUES(2,'en','client money','client money','phrase','unreviewed',5.0,1,NULL,NULL,NULL,'');
CREATE TABLE mention (
        sentence INTEGER NOT NULL REFERENCES sentence (id),
        first INTEGER NOT NULL,
        past INTEGER NOT NULL,
        term INTEGER NOT NULL REFERENCES term (id),
        PRIMARY KEY (sentence, first, past, term)
    ) STRICT, WITHOUT ROWID;
INSERT INTO mention VALUES(1,17,26,1);
INSERT INTO mention VALUES(2,0,9,1);
INSERT INTO mention VALUES(3,23,35,2);
CREATE TABLE embedding (
        id INTEGER PRIMARY KEY,
        name TEXT NOT NULL,
        block INTEGER NOT NULL,
        dim INTEGER NOT NULL CHECK (dim > 0),
        ids BLOB NOT NULL,
        vectors BLOB NOT NULL,
        UNIQUE (name, block)
    ) STRICT;
INSERT INTO embedding VALUES(1,'sentence lsa',0,2,X'0100000000000000020000000000000003000000000000000400000000000000',X'0000003f0000003f0000003f0000003f0000003f0000003f0000003f0000003f');
CREATE TABLE graph_build (
                id INTEGER PRIMARY KEY,
                created TEXT NOT NULL,
                corpus_hash TEXT NOT NULL,
                settings TEXT NOT NULL,
                stats TEXT NOT NULL
            , parent INTEGER REFERENCES graph_build (id), record TEXT) STRICT;
INSERT INTO graph_build VALUES(1,'2026-11-23T18:39:45.547Z','corpus','{"scale":"cosine","entity_low":0.75,"entity_high":0.9,"sentence_threshold":0.9,"calibrate_share":0.8,"lexical_threshold":0.75,"max_candidates":12,"max_per_section":4,"anchor_share":0.5,"approximate_over":200000}','{"sentences":4,"entities":2,"edges":{"shared_entity":0,"same_type":0,"similar_entity":0,"lexical":0,"reference":0},"encoder":"char-ngram LSA (128)","sentence_threshold":0.9,"entity_low":0.75,"entity_high":0.9,"anchors_sentence":1,"anchors_token":0,"isolated":0,"classes":{},"types":{},"parts":[],"seconds":0.1,"peak_memory_mb":10.0}',NULL,'{"kind":"whole","documents":[1],"terms":2,"joined_sentences":0,"joined_terms":0}');
CREATE TABLE edge (
        kind TEXT NOT NULL,
        a INTEGER NOT NULL,
        b INTEGER NOT NULL,
        weight REAL NOT NULL,
        PRIMARY KEY (kind, a, b)
    ) STRICT, WITHOUT ROWID;
INSERT INTO edge VALUES('lexical',1,2,0.89999997615814208984);
INSERT INTO edge VALUES('similar_entity',1,2,0.80000001192092895507);
CREATE TABLE candidate (
        anchor INTEGER NOT NULL REFERENCES sentence (id),
        candidate INTEGER NOT NULL REFERENCES sentence (id),
        cosine REAL NOT NULL,
        PRIMARY KEY (anchor, candidate)
    ) STRICT, WITHOUT ROWID;
INSERT INTO candidate VALUES(1,2,0.94999998807907104492);
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
        status TEXT NOT NULL,
        split TEXT NOT NULL
    ) STRICT;
INSERT INTO qca VALUES(1,X'4d925b7d0e0f78acd00ac5fb0ce31ed9b6dc900c653c047b9255953a54af0eae','sentence','obligation','How much must a bank hold?','["8 percent","9 percent"]',0,'[{"kind":"anchor"},{"kind":"edit","edit":"number","sentence":1}]',NULL,1,NULL,'offline','unreviewed','train');
INSERT INTO qca VALUES(2,X'ac7a965210164e4fc8eff2558f6d6742806dcc2e530cd8214280417b5bd9800b','sentence','obligation','What must a broker not do?','["8 percent","9 percent"]',0,'[{"kind":"anchor"},{"kind":"edit","edit":"number","sentence":3}]',NULL,3,NULL,'offline','unreviewed','test');
CREATE TABLE qca_tally (
        level TEXT NOT NULL,
        type TEXT NOT NULL,
        split TEXT NOT NULL,
        n INTEGER NOT NULL,
        PRIMARY KEY (level, type, split)
    ) STRICT, WITHOUT ROWID;
INSERT INTO qca_tally VALUES('sentence','obligation','test',1);
INSERT INTO qca_tally VALUES('sentence','obligation','train',1);
CREATE TABLE augmentation (id INTEGER PRIMARY KEY CHECK (id = 1), report TEXT NOT NULL) STRICT;
INSERT INTO augmentation VALUES(1,'{"questions":{},"rejected":{},"skipped":{},"source":"offline","reasked":0,"recovered":0,"sample":[]}');
CREATE TABLE dataset (
            id INTEGER PRIMARY KEY,
            hash TEXT NOT NULL UNIQUE,
            created TEXT NOT NULL,
            description TEXT NOT NULL,
            seed BLOB NOT NULL CHECK (length(seed) = 8)
        ) STRICT;
INSERT INTO dataset VALUES(1,'fd3a473a4bde9e518d473063efc815480546d1349a0e2308ea0828a693514ffa','2026-11-23T18:39:45.547Z','{"policy":"unreviewed_automatic","review":{"not_admitted":0,"terms_gone":0,"agreement":null,"terms":"unreviewed_automatic"},"train":{"sentence":1,"token":0,"anchors":1},"dev":{"sentence":0,"token":0,"anchors":0},"test":{"sentence":0,"token":0,"anchors":0},"by_type":{},"shortcuts":[],"flagged":false,"split_unit":"section","cluster_kind":"joined","clusters":{},"set_aside":0,"leak_check":{"compared":0,"removed":0,"leaks":[]},"corpus_hash":"0000000000000000000000000000000000000000000000000000000000000000"}',X'ffffffffffffffff');
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
INSERT INTO dataset_item VALUES(1,1,0,1,'train',0,0,'{"id":1}');
INSERT INTO dataset_item VALUES(2,1,1,2,'dev',1,0,'{"id":2}');
CREATE TABLE run (
        id INTEGER PRIMARY KEY,
        recipe TEXT NOT NULL,
        base TEXT NOT NULL,
        dataset INTEGER NOT NULL REFERENCES dataset (id),
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
INSERT INTO run VALUES(1,'sentence','all-MiniLM-L6-v2',1,'runs/1','{}','2026-11-23T18:39:45.548Z','queued','',0,0,NULL,NULL,NULL,NULL,NULL);
CREATE TABLE checkpoint (
            id INTEGER PRIMARY KEY,
            run INTEGER NOT NULL REFERENCES run (id),
            stage TEXT NOT NULL,
            step INTEGER NOT NULL,
            folder TEXT NOT NULL,
            dev_loss REAL,
            created TEXT NOT NULL,
            UNIQUE (run, stage, step)
        ) STRICT;
INSERT INTO checkpoint VALUES(1,1,'sentence',10,'checkpoints/10',0.5,'2026-11-23T18:39:45.548Z');
CREATE TABLE evaluation (
            id INTEGER PRIMARY KEY,
            run INTEGER NOT NULL REFERENCES run (id),
            created TEXT NOT NULL,
            view TEXT NOT NULL
        ) STRICT;
INSERT INTO evaluation VALUES(1,1,'2025-01-01T00:00:00Z','{"run":1,"created":"2025-01-01T00:00:00Z","report":"report.html","evaluation":{"scorer":"embedding","base":"all-MiniLM-L6-v2","before":{"accuracy":0.0,"precision":0.0,"recall":0.0,"f1":0.0,"ci95":[0.0,0.0],"n":0,"clusters":0,"choice_cosine_gap":0.0,"gap_ci95":[0.0,0.0],"by_type":{},"by_level":{}},"after":{"accuracy":0.0,"precision":0.0,"recall":0.0,"f1":0.0,"ci95":[0.0,0.0],"n":0,"clusters":0,"choice_cosine_gap":0.0,"gap_ci95":[0.0,0.0],"by_type":{},"by_level":{}},"comparisons":[],"scorers":[],"too_long":0,"shortcuts":[],"tfidf":null,"train_curve":[],"dev_curve":[],"stages":[],"space_before":{"mean_pairwise_cosine":0.0,"isoscore":0.0,"n":0},"space_after":{"mean_pairwise_cosine":0.0,"isoscore":0.0,"n":0},"improved":[],"worsened":[],"improved_total":0,"worsened_total":0,"limits":["one document"]},"hashes":{"documents":{},"corpus":"","dataset":"","base":"","adapter":"","audit_head":""},"dataset":{"id":1,"hash":"fd3a473a4bde9e518d473063efc815480546d1349a0e2308ea0828a693514ffa","created":"2026-11-23T18:39:45.547Z","policy":"unreviewed_automatic","review":{"not_admitted":0,"terms_gone":0,"agreement":null,"terms":"unreviewed_automatic"},"train":{"sentence":1,"token":0,"anchors":1},"dev":{"sentence":0,"token":0,"anchors":0},"test":{"sentence":0,"token":0,"anchors":0},"by_type":{},"shortcuts":[],"flagged":false,"split_unit":"section","cluster_kind":"joined","clusters":{},"set_aside":0,"leak_check":{"compared":0,"removed":0,"leaks":[]},"corpus_hash":"0000000000000000000000000000000000000000000000000000000000000000","seed":18446744073709551615}}');
CREATE TABLE succession (
            id INTEGER PRIMARY KEY,
            document INTEGER NOT NULL REFERENCES document (id),
            predecessor INTEGER REFERENCES document (id),
            linked TEXT NOT NULL,
            CHECK (document <> predecessor)
        ) STRICT;
CREATE TABLE endpoint (name TEXT PRIMARY KEY, settings TEXT NOT NULL) STRICT, WITHOUT ROWID;
INSERT INTO endpoint VALUES('firm','{"name":"firm","url":"https://llm.example.internal/v1","model":"m","key":{"kind":"key_ring"},"concurrency":4,"timeout_s":120,"total_s":600,"attempts":6,"max_bytes":4194304,"max_tokens":1024,"price_in":null,"price_out":null,"form":"schema","proxy":"none"}');
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
INSERT INTO asking VALUES(1,'questions','firm','llm.example.internal','m','{}','2026-11-23T18:39:45.548Z','finished','2026-11-23T18:39:45.548Z');
CREATE TABLE request (
        id INTEGER PRIMARY KEY,
        asking INTEGER NOT NULL REFERENCES asking (id),
        key BLOB NOT NULL CHECK (length(key) = 32),
        state TEXT NOT NULL CHECK (state IN ('asked', 'answered', 'failed', 'uncertain', 'written')),
        reason TEXT NOT NULL,
        again INTEGER NOT NULL
    ) STRICT;
INSERT INTO request VALUES(1,1,X'0101010101010101010101010101010101010101010101010101010101010101','answered','',0);
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
INSERT INTO answer VALUES(X'0101010101010101010101010101010101010101010101010101010101010101',1,'m','A bank holds own funds.','stop',100,7,0.5,'2026-11-23T18:39:45.548Z');
CREATE TABLE person (
        id INTEGER PRIMARY KEY,
        uid TEXT NOT NULL UNIQUE,
        name TEXT NOT NULL UNIQUE,
        role TEXT NOT NULL,
        share INTEGER NOT NULL
    ) STRICT;
INSERT INTO person VALUES(1,'0848e6a7db88824652fb2f7ab14903c5','Reviewer 1','domain_expert',1);
INSERT INTO person VALUES(2,'9c734cf71a7e01a6530f68e9ea3798f9','Reviewer 2','compliance_officer',1);
CREATE TABLE act (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            person INTEGER NOT NULL REFERENCES person (id),
            kind TEXT NOT NULL,
            packet TEXT,
            made TEXT NOT NULL
        ) STRICT;
INSERT INTO act VALUES(1,1,'decide',NULL,'2026-11-23T18:39:45.562Z');
INSERT INTO act VALUES(2,2,'decide',NULL,'2026-11-23T18:39:45.562Z');
INSERT INTO act VALUES(3,2,'undo',NULL,'2026-11-23T18:39:45.563Z');
INSERT INTO act VALUES(4,1,'decide',NULL,'2026-11-23T18:39:45.563Z');
INSERT INTO act VALUES(5,1,'decide',NULL,'2026-11-23T18:39:45.564Z');
INSERT INTO act VALUES(6,2,'merge','abababababababababababababababababababababababababababababababab','2026-11-23T18:39:45.563Z');
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
INSERT INTO decision VALUES(1,X'0b82e2b8070883e380d01c07090c151b',1,'term',1,0,1,'accept','{"class":"capital"}','read twice','2026-11-23T18:39:45.562Z',0);
INSERT INTO decision VALUES(2,X'96b67cb8b45a593cafd29b7de6b3a505',2,'term',1,0,2,'reject',NULL,'read twice','2026-11-23T18:39:45.562Z',0);
INSERT INTO decision VALUES(3,X'a2fb8ad389a7c04c4fe353f255cd190e',4,'pair',1,2,1,'confusable',NULL,'read twice','2026-11-23T18:39:45.563Z',0);
INSERT INTO decision VALUES(4,X'a862849ff75955ba7bc5c2ded0276810',5,'question',1,0,1,'accept',NULL,'read twice','2026-11-23T18:39:45.564Z',0);
INSERT INTO decision VALUES(5,X'0123456789abcdef0123456789abcdef',6,'question',1,0,2,'reject',NULL,'two choices are right','2026-01-01T00:00:00.000Z',0);
CREATE TABLE undo (
            decision BLOB PRIMARY KEY REFERENCES decision (uid),
            act INTEGER NOT NULL REFERENCES act (id),
            made TEXT NOT NULL
        ) STRICT, WITHOUT ROWID;
INSERT INTO undo VALUES(X'96b67cb8b45a593cafd29b7de6b3a505',3,'2026-11-23T18:39:45.563Z');
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
INSERT INTO verdict VALUES('pair',1,2,'accepted','confusable',1,1,0,NULL,NULL,NULL,NULL);
INSERT INTO verdict VALUES('question',1,0,'conflict',NULL,2,0,0,NULL,NULL,NULL,NULL);
INSERT INTO verdict VALUES('term',1,0,'accepted','accept',1,1,0,NULL,'capital',NULL,NULL);
CREATE TABLE packet (
            hash TEXT PRIMARY KEY,
            person INTEGER NOT NULL REFERENCES person (id),
            made TEXT NOT NULL,
            items INTEGER NOT NULL
        ) STRICT, WITHOUT ROWID;
INSERT INTO packet VALUES('abababababababababababababababababababababababababababababababab',2,'2026-11-23T18:39:45.563Z',1);
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
INSERT INTO graph_kept VALUES('sentences lsa',0,X'07070707070707070707070707070707070707070707070707070707070707070707070707070707');
INSERT INTO graph_kept VALUES('terms lsa',0,X'');
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
INSERT INTO imprint VALUES(1,'document 1','document',X'cb2f99ee');
INSERT INTO imprint VALUES(2,'document 1','chunk',X'dc36592f');
INSERT INTO imprint VALUES(3,'document 1','page',X'870e52b43e4fbcf4');
INSERT INTO imprint VALUES(4,'document 1','section',X'859e4759dc2cb3d2bbecf3d4');
INSERT INTO imprint VALUES(5,'document 1','sentence',X'bc8bfc3993ae540c64a51ee44c5cac06');
INSERT INTO imprint VALUES(6,'terms','term',X'c16d4892bd3c9a53');
INSERT INTO imprint VALUES(7,'terms','mention',X'332a03115f65a9f4a432399c');
INSERT INTO imprint VALUES(8,'embeddings sentence lsa','embedding',X'595527f3');
INSERT INTO imprint VALUES(9,'graph','graph_build',X'0a1489d9');
INSERT INTO imprint VALUES(10,'graph','edge',X'508ffe7b4e33ba61');
INSERT INTO imprint VALUES(11,'graph','candidate',X'd48a230d');
INSERT INTO imprint VALUES(12,'graph','graph_build.record',X'05990844');
INSERT INTO imprint VALUES(13,'graph','graph_kept',X'6e617495ea8d85cd');
INSERT INTO imprint VALUES(14,'questions','qca',X'728bdd1f9296fd06');
INSERT INTO imprint VALUES(15,'questions','augmentation',X'6f09f8c1');
INSERT INTO imprint VALUES(16,'dataset 1','dataset',X'1643de1b');
INSERT INTO imprint VALUES(17,'dataset 1','dataset_item',X'0b5e36539225d47c');
INSERT INTO imprint VALUES(18,'asking 1','asking',X'f429dc6c');
INSERT INTO imprint VALUES(19,'asking 1','request',X'730ecdce');
INSERT INTO imprint VALUES(20,'asking 1','answer',X'f3baafb5');
CREATE TABLE revision (
        id INTEGER PRIMARY KEY CHECK (id = 1),
        mark BLOB NOT NULL CHECK (length(mark) = 16),
        before BLOB NOT NULL CHECK (length(before) = 16)
    ) STRICT;
INSERT INTO revision VALUES(1,X'668b7ea693e7540effc28de8cd0deb89',X'dc35c36feafc6ba86db07f1986828328');
CREATE TABLE packet_held (
            packet TEXT PRIMARY KEY REFERENCES packet (hash),
            held TEXT NOT NULL
        ) STRICT, WITHOUT ROWID;
INSERT INTO packet_held VALUES('abababababababababababababababababababababababababababababababab','{"subjects":[{"kind":"question","id":1}],"terms":[1]}');
DELETE FROM sqlite_sequence;
INSERT INTO sqlite_sequence VALUES('term',2);
INSERT INTO sqlite_sequence VALUES('qca',2);
INSERT INTO sqlite_sequence VALUES('act',6);
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
CREATE TRIGGER run_is_never_deleted BEFORE DELETE ON run
    BEGIN SELECT RAISE(ABORT, 'rows of run are never deleted'); END;
CREATE TRIGGER checkpoint_is_never_changed BEFORE UPDATE ON checkpoint BEGIN SELECT RAISE(ABORT, 'rows of checkpoint are never changed'); END;
CREATE TRIGGER checkpoint_is_never_deleted BEFORE DELETE ON checkpoint BEGIN SELECT RAISE(ABORT, 'rows of checkpoint are never deleted'); END;
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
PRAGMA writable_schema=OFF;
COMMIT;
