-- A workspace as the version of format 88 made it, as sqlite3's .dump writes it: two acts, a policy and a Chinese text; since when
-- and until when they are in force, set, changed and taken back; decisions about terms, one of them taken back; two answers, one
-- with a verdict; a matching with a decision.
PRAGMA application_id = 1281718342;
PRAGMA user_version = 88;
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
INSERT INTO audit VALUES(1,'2026-11-30T05:24:04.295Z','lexforge','workspace.create','workspace','',NULL,X'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',X'0000000000000000000000000000000000000000000000000000000000000000',X'7beeb2c3ef9098f948694a3b5de5a15ed54fb1de16bb6320e2809fec34c91703');
INSERT INTO audit VALUES(2,'2026-11-30T05:24:04.74Z','A. Reviewer','document.import','document 1','','document 1',X'0d9f6d925a727957a0c73ad30ff0bf4ca013473d5c952a88d4de9782b75760bf',X'7beeb2c3ef9098f948694a3b5de5a15ed54fb1de16bb6320e2809fec34c91703',X'7050148c7e90fa0528dbd541be79371fc12d9889e7106ba7fa91ccbc9f6967f9');
INSERT INTO audit VALUES(3,'2026-11-30T05:24:04.843Z','A. Reviewer','document.import','document 2','','document 2',X'd582915b01f92aa7edc4d7115c1334ff5f3abcd603cf1e0d2ad4302c0b18ed54',X'7050148c7e90fa0528dbd541be79371fc12d9889e7106ba7fa91ccbc9f6967f9',X'ccf2806ab7aacbe9b1ef30e0e0ca18226e8a72f2bc363ca5bb605b1a3fd97727');
INSERT INTO audit VALUES(4,'2026-11-30T05:24:04.868Z','A. Reviewer','document.import','document 3','','document 3',X'20de05288dd2bfa186f8a3721f502f5ac4e34aaa28d299f7b94cd54f6e07d6d4',X'ccf2806ab7aacbe9b1ef30e0e0ca18226e8a72f2bc363ca5bb605b1a3fd97727',X'8cb17b34cec84c35139538f2b2848e873377d5b218a6146fb74d364c02add903');
INSERT INTO audit VALUES(5,'2026-11-30T05:24:04.882Z','A. Reviewer','document.import','document 4','','document 4',X'f658500f1e2a4dca6588f4a10133748f1200908211a292c0197bfd04e2d5ce54',X'8cb17b34cec84c35139538f2b2848e873377d5b218a6146fb74d364c02add903',X'6df7524a91085e6711ba2d0aa6436e55264f5ec73ae21d1f7f2b4ec0ae7d9879');
INSERT INTO audit VALUES(6,'2026-11-30T05:24:05.51Z','A. Reviewer','document.force','document 1','','document 1',X'93965066898f2b51332ca8b1510cbd1587bb46eef76eaf7483afcdfdf03894be',X'6df7524a91085e6711ba2d0aa6436e55264f5ec73ae21d1f7f2b4ec0ae7d9879',X'c6fa71b12bd4de30d06a20e698ffc40143051eb73e40d8d23971d559dd0a6a92');
INSERT INTO audit VALUES(7,'2026-11-30T05:24:05.912Z','A. Reviewer','document.force','document 1','','document 1',X'8d97e21cd418348cafcb0134ee80c396161e8c0558f16d692aeddfa6487df9a8',X'c6fa71b12bd4de30d06a20e698ffc40143051eb73e40d8d23971d559dd0a6a92',X'8f66c51237dc711518fc6f6b4f7cdbd74392de742caba0495b1727773ff9d3a4');
INSERT INTO audit VALUES(8,'2026-11-30T05:24:06.369Z','A. Reviewer','document.force','document 2','','document 2',X'd15ebcabbff3d03d2f75ac216979511e388d219edf71dd08b43ef9afb01c5bde',X'8f66c51237dc711518fc6f6b4f7cdbd74392de742caba0495b1727773ff9d3a4',X'0d5f863a92ead0f888820e04a2ba0a0c7a9ce1fd822ec3b12a4a503a7b307d56');
INSERT INTO audit VALUES(9,'2026-11-30T05:24:06.876Z','A. Reviewer','document.force','document 3','','document 3',X'dc6cc49e7cc33bf41b1605bd00f42a72f993dfc16550a525cf3e7bb001be7682',X'0d5f863a92ead0f888820e04a2ba0a0c7a9ce1fd822ec3b12a4a503a7b307d56',X'897e6ec8d138eca8ac7f55eac975fe15718508b6df37b79af77ad32bace7bc6e');
INSERT INTO audit VALUES(10,'2026-11-30T05:24:07.403Z','A. Reviewer','document.force','document 3','','document 3',X'62bf713b4d7dd68b23cf7d088b14b7389eda00174dbe4b6159e8be8e47102b64',X'897e6ec8d138eca8ac7f55eac975fe15718508b6df37b79af77ad32bace7bc6e',X'27f3c8faaa2cb780c7d1aee56bf4021bf2883b1baf72d7a2727a99fccb6e4a04');
INSERT INTO audit VALUES(11,'2026-11-30T05:24:08.779Z','A. Reviewer','terms.extract','terms','policy: unreviewed (automatic)','terms',X'a7f8e50b2e18422a548bf0735ca719057c3e1872769e4aae278d84e6b10ea2b3',X'27f3c8faaa2cb780c7d1aee56bf4021bf2883b1baf72d7a2727a99fccb6e4a04',X'9df1331602db91270cc367f5ea915853390813d87795eb90dd27147c6418e87a');
INSERT INTO audit VALUES(12,'2026-11-30T05:24:08.78Z','A. Reviewer','setting.set','setting terms.rejected','','setting terms.rejected',X'9dea04b86af04ae1aad5cae0c826ffed2af6a13f4edec18eef3611006028f712',X'9df1331602db91270cc367f5ea915853390813d87795eb90dd27147c6418e87a',X'876253c242c568304710303eacb8dbce11c261a481e61f74c58cccc524166e86');
INSERT INTO audit VALUES(13,'2026-11-30T05:24:10.532Z','A. Reviewer','terms.confusables','terms','','terms',X'8142a05987a4f817799b3af1a37ded3462c30ccab46c44b041740d06f58e2b2c',X'876253c242c568304710303eacb8dbce11c261a481e61f74c58cccc524166e86',X'037536262d3efb1c54456b7404a74388e1d530feaaa54cac320fcab63f9ef745');
INSERT INTO audit VALUES(14,'2026-11-30T05:24:10.54Z','A. Reviewer','setting.set','setting terms.report','','setting terms.report',X'ed39778e57f11844b0127fadd6d829a447af2fcd66183547a157d21ef26fc9a0',X'037536262d3efb1c54456b7404a74388e1d530feaaa54cac320fcab63f9ef745',X'e591c65f565af4108e58b0c050e309a3fb57892a66e39fbb35e4fafb35ced6e5');
INSERT INTO audit VALUES(15,'2026-11-30T05:24:10.984Z','A. Reviewer','person.put','person 1','','person 1',X'7c919fb3824a946c51bc1486360b069f770dec3e768e2eb7d76c6ad0f32b24b9',X'e591c65f565af4108e58b0c050e309a3fb57892a66e39fbb35e4fafb35ced6e5',X'9e0ebd5d297725d39cc95c6b920554bf497d88bd54ff54278e1f01961ab8913e');
INSERT INTO audit VALUES(16,'2026-11-30T05:24:11.012Z','A. Reviewer','review.accept','act 1','','act 1',X'1be4583e638c47e3488a760cc42db815087a963ceb419040258d2362cc618535',X'9e0ebd5d297725d39cc95c6b920554bf497d88bd54ff54278e1f01961ab8913e',X'ba411ba2063669861e383656d6c9f8b5b13360b4b76ba9d7226c914ca2e43eab');
INSERT INTO audit VALUES(17,'2026-11-30T05:24:11.379Z','A. Reviewer','person.put','person 2','','person 2',X'09a5c20265e60c629c7d32ebd2c2613e23beb30bb5e12e08332a9f709757eb50',X'ba411ba2063669861e383656d6c9f8b5b13360b4b76ba9d7226c914ca2e43eab',X'dcdf48cddd4a3686cf4012dbb848f13d07230018d8edd7757b34e7be96d45f06');
INSERT INTO audit VALUES(18,'2026-11-30T05:24:11.423Z','B. Reviewer','review.reject','act 2','','act 2',X'346df65064d41f7eec8a48d4315c3cc181a322beef306e62eaa754c0075371d1',X'dcdf48cddd4a3686cf4012dbb848f13d07230018d8edd7757b34e7be96d45f06',X'6a00cf5f865d6067da084b9ce1376577b24bffda6922484767bbaa4a3a46af27');
INSERT INTO audit VALUES(19,'2026-11-30T05:24:11.762Z','A. Reviewer','review.accept','act 3','','act 3',X'6c49a4f56c7904d72d785318eaa92f26bae3c16e807b1e3a846e775667bdd81a',X'6a00cf5f865d6067da084b9ce1376577b24bffda6922484767bbaa4a3a46af27',X'390ea92ccc6bb86603e78dee2d0a40b10d4aa42fe2abeb17060245ced7490122');
INSERT INTO audit VALUES(20,'2026-11-30T05:24:12.131Z','A. Reviewer','review.undo','act 4','takes back act 3','act 4',X'ec1ecbbd209e440b53f8c69adb4fb9784019d427b147b6e74fdabe1c9dc7d0d7',X'390ea92ccc6bb86603e78dee2d0a40b10d4aa42fe2abeb17060245ced7490122',X'7da5884248fd5e85eefaa204ddb68448e68452e2e5d435e9138bc4605906bc8c');
INSERT INTO audit VALUES(21,'2026-11-30T05:24:13.097Z','A. Reviewer','answer.put','answer 1','','answer 1',X'cc096fbdce698432334e7e59613b65ecbc8049a562e3a91c1aee0fe194cc8c19',X'7da5884248fd5e85eefaa204ddb68448e68452e2e5d435e9138bc4605906bc8c',X'fff7daaf0517e387df0a7e1691ab94e1b580055fb3b5ae072c7dfeceeecd7d64');
INSERT INTO audit VALUES(22,'2026-11-30T05:24:14.009Z','A. Reviewer','answer.put','answer 2','','answer 2',X'3e82cd8a22d4ab991198b7bda088dd62b9579cdb1005f63e5f414c511fdb965b',X'fff7daaf0517e387df0a7e1691ab94e1b580055fb3b5ae072c7dfeceeecd7d64',X'56f76c3277c10368ccc678fed62998d4b72d54f837d0681166525c551e14131d');
INSERT INTO audit VALUES(23,'2026-11-30T05:24:14.352Z','A. Reviewer','answer.judge','answer 1','','answer 1',X'44c3814a326224194771a761b3d1f6dac45cb1375631f872395cb5962a28704a',X'56f76c3277c10368ccc678fed62998d4b72d54f837d0681166525c551e14131d',X'696f2bda91edeae2314000317edadb0a91d52ab8b81fe82a500dfa8867310d6e');
INSERT INTO audit VALUES(24,'2026-11-30T05:24:14.352Z','A. Reviewer','pairs.add','pairs','','pairs',X'c17a798b4888290ace828476b0ec9665a033114c9e878d993ff983914e418e6f',X'696f2bda91edeae2314000317edadb0a91d52ab8b81fe82a500dfa8867310d6e',X'ff5a828b9e2c14de912d367ab4cc913071be6b984a09855b3c545514a8c62057');
INSERT INTO audit VALUES(25,'2026-11-30T05:24:16.691Z','A. Reviewer','matching.put','matchings','','matchings',X'f9145767fda283c2c4133dd3b839a090d837eea6d11040825be9d97c6881ed1c',X'ff5a828b9e2c14de912d367ab4cc913071be6b984a09855b3c545514a8c62057',X'7ec337ad4916f9b4e04c71e6c9c067c33b9df5742bd085d929b987bd2b078d23');
INSERT INTO audit VALUES(26,'2026-11-30T05:24:17.048Z','A. Reviewer','match.decide','match_decisions','','match_decisions',X'0230efb9a6fe74a9f18f94e5be564c4206d67cea558b8c36c789760f773c9ea3',X'7ec337ad4916f9b4e04c71e6c9c067c33b9df5742bd085d929b987bd2b078d23',X'd30311c09d90bee0c3f04e325d4accf32c84d063d3db609c70f57113d2649924');
CREATE TABLE setting (key TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID;
INSERT INTO setting VALUES('terms.rejected','[]');
INSERT INTO setting VALUES('terms.report','{"terms":3,"defined":2,"mentions":5,"policy":"unreviewed_automatic","source":"offline extractor (definitions, abbreviations and noun phrases by C-value; no language model)","definitions":2,"rejected":{},"flagged":0,"without_answer":0,"confusables":{"terms":3,"pairs":1,"without_vectors":0}}');
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
INSERT INTO document VALUES(1,'3d3390c155ba50273c60f36903325cff1c68868497581b5f940299d13cbcc036','act.md','Ferry Safety Act','markdown','en',1,6,0,0,0,0,NULL,'[]',274,'2026-11-30T05:24:04.689Z','{"issuer":null,"jurisdiction":null,"identifier":null,"date":null,"effective":"2015-01-01","version":null}');
INSERT INTO document VALUES(2,'af9946aecbad0571a06f16bc153fe4a22ce5296a13648a56a8b02501a851f6ea','new.md','Ferry Safety Act 2021','markdown','en',1,5,0,0,0,0,NULL,'[]',219,'2026-11-30T05:24:04.835Z',NULL);
INSERT INTO document VALUES(3,'02f1af428f97f08d84eea204566cba7fa193c2b550a18c49001972cc4555577e','policy.md','Policy of the Line','markdown','en',1,5,0,0,0,0,NULL,'[]',183,'2026-11-30T05:24:04.863Z',NULL);
INSERT INTO document VALUES(4,'c9ea4bd44d0d23b712be3ad5b1cc49a335a20b08dee89a9783b3490787be806a','zh.md','渡轮管理办法','markdown','zh',1,3,0,0,0,0,NULL,'[]',123,'2026-11-30T05:24:04.875Z',NULL);
CREATE TABLE chunk (
            id INTEGER PRIMARY KEY,
            document INTEGER NOT NULL REFERENCES document (id),
            position INTEGER NOT NULL,
            sha256 BLOB NOT NULL CHECK (length(sha256) = 32),
            bytes BLOB NOT NULL CHECK (length(bytes) <= 1048576),
            UNIQUE (document, position)
        ) STRICT;
INSERT INTO chunk VALUES(1,1,0,X'3d3390c155ba50273c60f36903325cff1c68868497581b5f940299d13cbcc036',X'2d2d2d0a7469746c653a20466572727920536166657479204163740a6566666563746976653a20323031352d30312d30310a2d2d2d0a0a2320466572727920536166657479204163740a0a23232041727469636c6520310a0a546865206f70657261746f72207368616c6c206b6565702061206c696665626f617420666f722065766572792066696674792070617373656e676572732e0a0a23232041727469636c6520320a0a4120e2809c70617373656e676572e2809d206d65616e73206120706572736f6e206361727269656420666f72207061796d656e742e20546865206d6173746572206d757374207265706f7274206120636f6c6c6973696f6e2077697468696e2074776f20686f7572732e0a');
INSERT INTO chunk VALUES(2,2,0,X'af9946aecbad0571a06f16bc153fe4a22ce5296a13648a56a8b02501a851f6ea',X'2d2d2d0a7469746c653a204665727279205361666574792041637420323032310a2d2d2d0a0a23204665727279205361666574792041637420323032310a0a23232041727469636c6520310a0a546865206f70657261746f72207368616c6c206b6565702061206c696665626f617420666f7220657665727920666f7274792070617373656e676572732e0a0a23232041727469636c6520320a0a54686520466572727920536166657479204163742069732072657065616c65642077697468206566666563742066726f6d2031204d6172636820323032312e0a');
INSERT INTO chunk VALUES(3,3,0,X'02f1af428f97f08d84eea204566cba7fa193c2b550a18c49001972cc4555577e',X'2320506f6c696379206f6620746865204c696e650a0a23232031204c696665626f6174730a0a5765206b6565702061206c696665626f617420666f7220657665727920666f7274792070617373656e67657273206f6e206561636820736869702e0a0a23232032205265706f7274730a0a546865206d6173746572207265706f727473206120636f6c6c6973696f6e20746f2074686520686172626f7572206f66666963652077697468696e206f6e6520686f75722e0a');
INSERT INTO chunk VALUES(4,4,0,X'c9ea4bd44d0d23b712be3ad5b1cc49a335a20b08dee89a9783b3490787be806a',X'2320e6b8a1e8bdaee7aea1e79086e58a9ee6b3950a0ae7acace4b880e69da120e7bb8fe890a5e88085e5ba94e5bd93e6af8fe5b9b4e6a380e69fa5e4b880e6aca1e69591e7949fe88987e380820a0ae7acace4ba8ce69da120e4b998e5aea2e698afe68c87e694afe4bb98e888b9e8b4b9e79a84e4babae380820a');
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
INSERT INTO page VALUES(1,1,1,0.0,0.0,'plain',NULL,0,replace('Ferry Safety Act\nArticle 1\nThe operator shall keep a lifeboat for every fifty passengers.\nArticle 2\nA “passenger” means a person carried for payment. The master must report a collision within two hours.','\n',char(10)),NULL,NULL);
INSERT INTO page VALUES(2,2,1,0.0,0.0,'plain',NULL,0,replace('Ferry Safety Act 2021\nArticle 1\nThe operator shall keep a lifeboat for every forty passengers.\nArticle 2\nThe Ferry Safety Act is repealed with effect from 1 March 2021.','\n',char(10)),NULL,NULL);
INSERT INTO page VALUES(3,3,1,0.0,0.0,'plain',NULL,0,replace('Policy of the Line\n1 Lifeboats\nWe keep a lifeboat for every forty passengers on each ship.\n2 Reports\nThe master reports a collision to the harbour office within one hour.','\n',char(10)),NULL,NULL);
INSERT INTO page VALUES(4,4,1,0.0,0.0,'plain',NULL,0,replace('渡轮管理办法\n第一条 经营者应当每年检查一次救生艇。\n第二条 乘客是指支付船费的人。','\n',char(10)),NULL,NULL);
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
INSERT INTO section VALUES(1,1,NULL,0,'','Ferry Safety Act','Ferry Safety Act',1,1);
INSERT INTO section VALUES(2,1,NULL,0,'Article 1','','Article 1',1,2);
INSERT INTO section VALUES(3,1,NULL,0,'Article 2','','Article 2',1,3);
INSERT INTO section VALUES(4,2,NULL,0,'','Ferry Safety Act 2021','Ferry Safety Act 2021',1,1);
INSERT INTO section VALUES(5,2,NULL,0,'Article 1','','Article 1',1,2);
INSERT INTO section VALUES(6,2,NULL,0,'Article 2','','Article 2',1,2);
INSERT INTO section VALUES(7,3,NULL,0,'','Policy of the Line','Policy of the Line',1,1);
INSERT INTO section VALUES(8,3,NULL,0,'1','Lifeboats','1',1,2);
INSERT INTO section VALUES(9,3,NULL,0,'2','Reports','2',1,2);
INSERT INTO section VALUES(10,4,NULL,0,'','渡轮管理办法','渡轮管理办法',1,1);
INSERT INTO section VALUES(11,4,NULL,0,'第一条','','第一条',1,1);
INSERT INTO section VALUES(12,4,NULL,0,'第二条','','第二条',1,1);
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
INSERT INTO sentence VALUES(1,1,0,1,1,'heading','Ferry Safety Act',X'',0,16,NULL,NULL);
INSERT INTO sentence VALUES(2,1,1,1,2,'heading','Article 1',X'',17,26,NULL,NULL);
INSERT INTO sentence VALUES(3,1,2,1,2,'rule','The operator shall keep a lifeboat for every fifty passengers.',X'',27,89,NULL,NULL);
INSERT INTO sentence VALUES(4,1,3,1,3,'heading','Article 2',X'',90,99,NULL,NULL);
INSERT INTO sentence VALUES(5,1,4,1,3,'definition','A “passenger” means a person carried for payment.',X'',100,149,NULL,NULL);
INSERT INTO sentence VALUES(6,1,5,1,3,'rule','The master must report a collision within two hours.',X'',150,202,NULL,NULL);
INSERT INTO sentence VALUES(7,2,0,1,4,'heading','Ferry Safety Act 2021',X'',0,21,NULL,NULL);
INSERT INTO sentence VALUES(8,2,1,1,5,'heading','Article 1',X'',22,31,NULL,NULL);
INSERT INTO sentence VALUES(9,2,2,1,5,'rule','The operator shall keep a lifeboat for every forty passengers.',X'',32,94,NULL,NULL);
INSERT INTO sentence VALUES(10,2,3,1,6,'heading','Article 2',X'',95,104,NULL,NULL);
INSERT INTO sentence VALUES(11,2,4,1,6,'rule','The Ferry Safety Act is repealed with effect from 1 March 2021.',X'',105,168,NULL,NULL);
INSERT INTO sentence VALUES(12,3,0,1,7,'heading','Policy of the Line',X'',0,18,NULL,NULL);
INSERT INTO sentence VALUES(13,3,1,1,8,'heading','1 Lifeboats',X'',19,30,NULL,NULL);
INSERT INTO sentence VALUES(14,3,2,1,8,'rule','We keep a lifeboat for every forty passengers on each ship.',X'',31,90,NULL,NULL);
INSERT INTO sentence VALUES(15,3,3,1,9,'heading','2 Reports',X'',91,100,NULL,NULL);
INSERT INTO sentence VALUES(16,3,4,1,9,'rule','The master reports a collision to the harbour office within one hour.',X'',101,170,NULL,NULL);
INSERT INTO sentence VALUES(17,4,0,1,10,'heading','渡轮管理办法',X'',0,6,NULL,NULL);
INSERT INTO sentence VALUES(18,4,1,1,11,'rule','第一条 经营者应当每年检查一次救生艇。',X'',7,26,NULL,NULL);
INSERT INTO sentence VALUES(19,4,2,1,12,'definition','第二条 乘客是指支付船费的人。',X'',27,42,NULL,NULL);
PRAGMA writable_schema=ON;
INSERT INTO sqlite_schema(type,name,tbl_name,rootpage,sql)VALUES('table','full_text','full_text',0,'CREATE VIRTUAL TABLE full_text USING fts5 (words, content = '''', columnsize = 0, tokenize = ''ascii'')');
CREATE TABLE IF NOT EXISTS 'full_text_data'(id INTEGER PRIMARY KEY, block BLOB);
INSERT INTO full_text_data VALUES(1,X'136a');
INSERT INTO full_text_data VALUES(10,X'000000010104040004010101020101030101040101');
INSERT INTO full_text_data VALUES(137438953473,X'000000ee02303102020301013204020301036163740102040205727469636c0202020202020105636172726905020502056f6c6c697306020501056576657269030206010566657272690102020204696674690302070104686f757206020801046b65657003020401086c696665626f617403020501066d6173746572060202020365616e050203020375737406020301046f706572030202010770617373656e670302080202020305796d656e7405020602056572736f6e05020401067265706f72740602040106736166657469010203020468616c6c030203010374776f060207010677697468696e060206040606080d0a0a0a0a0909090d0b0808090f0a0a0b0b0908');
INSERT INTO full_text_data VALUES(274877906945,X'000000b70230310802030302070101320a0203020330323107020504020901036163740702040402040205727469636c08020202020201066566666563740b02060204766572690902060105666572726907020204020202046f72746909020701046b65657009020401086c696665626f617409020501056d617263680b020801046f706572090202010770617373656e67090208010672657065616c0b02050106736166657469070203040203020468616c6c0902030409060b0b0d0b090d09090d0a090c0b0e');
INSERT INTO full_text_data VALUES(412316860417,X'000000bf0230310d02020101320f02020106636f6c6c69731002040104656163680e02070204766572690e02040105666f7274690e02050107686172626f757210020502036f757210020901046b6565700e020201086c696665626f61740d020301020303026e650c020301066d617374657210020201056f6666696310020602026e65100208010770617373656e670e020602056f6c6963690c020201067265706f72740f02030102030104736869700e0208010677697468696e1002070406060b09090a0c080910070b0a070c0a0e09');
INSERT INTO full_text_data VALUES(549755813889,X'000001570730e4b880e69da11202030502aca112020e0205b998e5aea21302050205ba8ce69da11302030301ba13020e0205bb98e888b913020a0106e58a9ee6b3951102060205aea2e698af1302060205b9b4e6a38012020b0205ba94e5bd931202080205bd93e6af8f1202090106e68c87e694af130208020594afe4bb9813020902059591e7949f120210020598afe68c8713020702029da112020401020402059fa5e4b88012020d0205a380e69fa512020c0205aca1e6959112020f0205af8fe5b9b412020a0202b3951102070205b8a1e8bdae1102020106e79086e58a9e1102050205949fe8898712021102059a84e4baba13020d0205acace4b8801202020502ba8c1302020205aea1e790861102040205bb8fe890a51202050106e88085e5ba94120207020588b9e8b4b913020b02028987120212020590a5e880851202060205b4b9e79a8413020c0205bdaee7aea1110203040b070a0a060a0b0a0a0a0a0b0a0a0a0a0a0a0a0a070a0b0a0a0a070a0a0b0a070a0a');
CREATE TABLE IF NOT EXISTS 'full_text_idx'(segid, term, pgno, PRIMARY KEY(segid, term)) WITHOUT ROWID;
INSERT INTO full_text_idx VALUES(1,X'',2);
INSERT INTO full_text_idx VALUES(2,X'',2);
INSERT INTO full_text_idx VALUES(3,X'',2);
INSERT INTO full_text_idx VALUES(4,X'',2);
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
INSERT INTO full_text_length VALUES(1,1,X'030002000700020005000700');
INSERT INTO full_text_length VALUES(2,7,X'04000200070002000800');
INSERT INTO full_text_length VALUES(3,12,X'02000200070002000800');
INSERT INTO full_text_length VALUES(4,17,X'060011000d00');
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
INSERT INTO term VALUES(1,'en','passenger','passengers','defined','unreviewed',14.0,2,'a person carried for payment.',5,1,'');
INSERT INTO term VALUES(2,'en','forty passenger','forty passengers','phrase','unreviewed',3.1699250014423121513,2,NULL,NULL,NULL,'');
INSERT INTO term VALUES(3,'zh','乘客','乘客','defined','unreviewed',11.0,1,'支付船费的人',19,4,'');
CREATE TABLE mention (
        sentence INTEGER NOT NULL REFERENCES sentence (id),
        first INTEGER NOT NULL,
        past INTEGER NOT NULL,
        term INTEGER NOT NULL REFERENCES term (id),
        PRIMARY KEY (sentence, first, past, term)
    ) STRICT, WITHOUT ROWID;
INSERT INTO mention VALUES(3,51,61,1);
INSERT INTO mention VALUES(5,3,12,1);
INSERT INTO mention VALUES(9,45,61,2);
INSERT INTO mention VALUES(14,29,45,2);
INSERT INTO mention VALUES(19,4,6,3);
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
INSERT INTO person VALUES(1,'19039ea2963d188467693c66fea0f5d9','A. Reviewer','domain_expert',1);
INSERT INTO person VALUES(2,'6e501ea2b46bb8326e32bd0ed13be0c8','B. Reviewer','domain_expert',1);
CREATE TABLE act (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            person INTEGER NOT NULL REFERENCES person (id),
            kind TEXT NOT NULL,
            packet TEXT,
            made TEXT NOT NULL
        ) STRICT;
INSERT INTO act VALUES(1,1,'decide',NULL,'2026-11-30T05:24:11.011Z');
INSERT INTO act VALUES(2,2,'decide',NULL,'2026-11-30T05:24:11.414Z');
INSERT INTO act VALUES(3,1,'decide',NULL,'2026-11-30T05:24:11.750Z');
INSERT INTO act VALUES(4,1,'undo',NULL,'2026-11-30T05:24:12.116Z');
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
INSERT INTO decision VALUES(1,X'ae65eb4206a80699e73e7aecc0702e62',1,'term',1,0,1,'accept','{"class":"party"}','','2026-11-30T05:24:11.011Z',0);
INSERT INTO decision VALUES(2,X'2ba6e0d4cb33635bada6b8e13edccc0b',2,'term',2,0,2,'reject',NULL,'','2026-11-30T05:24:11.414Z',0);
INSERT INTO decision VALUES(3,X'331d3ec1d214040b02454cc3a5f68d98',3,'term',2,0,1,'accept',NULL,'','2026-11-30T05:24:11.750Z',0);
CREATE TABLE undo (
            decision BLOB PRIMARY KEY REFERENCES decision (uid),
            act INTEGER NOT NULL REFERENCES act (id),
            made TEXT NOT NULL
        ) STRICT, WITHOUT ROWID;
INSERT INTO undo VALUES(X'331d3ec1d214040b02454cc3a5f68d98',4,'2026-11-30T05:24:12.116Z');
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
INSERT INTO verdict VALUES('term',1,0,'accepted','accept',1,1,0,NULL,'party',NULL,NULL);
INSERT INTO verdict VALUES('term',2,0,'rejected','reject',1,1,0,NULL,NULL,NULL,NULL);
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
INSERT INTO definition VALUES(1,5,1,'a person carried for payment.');
INSERT INTO definition VALUES(3,19,4,'支付船费的人');
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
INSERT INTO confusable VALUES(1,2,0.80979937314987182617,0.71794873476028442382,0.763874053955078125,1);
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
INSERT INTO imprint VALUES(17,'document 4','document',X'05ecbba6');
INSERT INTO imprint VALUES(18,'document 4','chunk',X'27b9f1c6');
INSERT INTO imprint VALUES(19,'document 4','page',X'889175ea');
INSERT INTO imprint VALUES(20,'document 4','section',X'f46acbe5ba05b046f69a30eb');
INSERT INTO imprint VALUES(21,'document 4','sentence',X'd4a5f845d71808bf655c94fa');
INSERT INTO imprint VALUES(22,'document 1','document',X'4ec74690');
INSERT INTO imprint VALUES(23,'document 1','chunk',X'ba680b1e');
INSERT INTO imprint VALUES(24,'document 1','page',X'0d2265c7');
INSERT INTO imprint VALUES(25,'document 1','section',X'289bbc6f0919162218102b4b');
INSERT INTO imprint VALUES(26,'document 1','sentence',X'7e6ff49aadeafc886fde2dbf98308b12117f6962e5902ddb');
INSERT INTO imprint VALUES(27,'document 1','document.about',X'297234d8');
INSERT INTO imprint VALUES(28,'document 1','validity',X'0cd18f8ac7bae3bd');
INSERT INTO imprint VALUES(29,'document 2','document',X'bf78ca0d');
INSERT INTO imprint VALUES(30,'document 2','chunk',X'22e02527');
INSERT INTO imprint VALUES(31,'document 2','page',X'0ee556ae');
INSERT INTO imprint VALUES(32,'document 2','section',X'271be63e1651328815c92e01');
INSERT INTO imprint VALUES(33,'document 2','sentence',X'876ebbe69508d772f6f5aad77d381eb5fbbf9323');
INSERT INTO imprint VALUES(34,'document 2','validity',X'0085563a');
INSERT INTO imprint VALUES(35,'document 3','document',X'c076aa08');
INSERT INTO imprint VALUES(36,'document 3','chunk',X'476e2920');
INSERT INTO imprint VALUES(37,'document 3','page',X'aa328177');
INSERT INTO imprint VALUES(38,'document 3','section',X'83052cffa970c5f5093af02f');
INSERT INTO imprint VALUES(39,'document 3','sentence',X'895f8280ec3cc836b4e4f1ff49e401118f383ae4');
INSERT INTO imprint VALUES(40,'document 3','validity',X'f5f6de0a2a9cee61');
INSERT INTO imprint VALUES(41,'terms','term',X'f7520feea240e36391da3aac');
INSERT INTO imprint VALUES(42,'terms','mention',X'b25cee82f0f792c92352fb9d7050a0b23e23fdd5');
INSERT INTO imprint VALUES(43,'terms','definition',X'c90d1399ef9e3dc4');
INSERT INTO imprint VALUES(44,'terms','confusable',X'b6668c89');
INSERT INTO imprint VALUES(46,'answer 2','reply',X'a8236c37');
INSERT INTO imprint VALUES(47,'answer 1','reply',X'5f050c4b');
INSERT INTO imprint VALUES(48,'answer 1','reply_verdict',X'3f723a63');
INSERT INTO imprint VALUES(49,'pairs','pair',X'3d6259bb');
INSERT INTO imprint VALUES(50,'matchings','matching',X'803c5faf');
INSERT INTO imprint VALUES(51,'match_decisions','match_decision',X'17233e82');
CREATE TABLE revision (
        id INTEGER PRIMARY KEY CHECK (id = 1),
        mark BLOB NOT NULL CHECK (length(mark) = 16),
        before BLOB NOT NULL CHECK (length(before) = 16)
    ) STRICT;
INSERT INTO revision VALUES(1,X'8ec2d731081f39163f86bc751d7e259e',X'5052969160f965897963e2bdb2cc4188');
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
INSERT INTO reply VALUES(1,'2026-11-30T05:24:12Z','Within how many hours must the master report a collision?',1,1,'{"id":null,"asked":"2026-11-30T05:24:12Z","question":"Within how many hours must the master report a collision?","found":true,"answer":"The master reports a collision to the harbour office within one hour.","statements":[{"text":"The master reports a collision to the harbour office within one hour.","citations":[0],"kept":true,"reason":null,"marks":[[4,10],[11,18],[21,30],[53,59],[64,68]]}],"citations":[{"document":3,"title":"Policy of the Line","language":"en","page":1,"section":"2","boxes":[],"quote":"The master reports a collision to the harbour office within one hour.","sentence":16,"external_id":null,"superseded_by":null}],"passages":[{"document":3,"title":"Policy of the Line","language":"en","page":1,"section":"2","boxes":[],"quote":"The master reports a collision to the harbour office within one hour.","sentence":16,"external_id":null,"superseded_by":null,"text":"The master reports a collision to the harbour office within one hour.","score":1.0,"marks":[[4,10],[11,18],[21,30],[53,59],[64,68]]}],"premise":null,"terms":[],"notes":[{"note":"words_only"},{"note":"out_of_force_left_out","documents":1}],"probability":0.9372191710948323,"threshold":0.6,"certificate":{"alpha":0.05,"confidence":0.95,"n":0,"wrong":0,"answered_share":null,"valid":false,"reason":"not_measured","needed":59,"made":null},"model":"extractive","adapter":null,"written":null,"index":{"mode":"lexical","clauses":15,"tokeniser":"words (English stemmed, stop words out), CJK bigrams, pairs of words at half weight, of bigrams at a tenth","encoder":"","ranker":null},"corpus_hash":"9dd47d7816869d4273c3f4a495863a4d5bdf8bfb5620853511bce319693461a3","documents":4,"as_of":"2026-11-30","audit_entry":null}');
INSERT INTO reply VALUES(2,'2026-11-30T05:24:13Z','How many lifeboats shall the operator keep?',1,1,'{"id":null,"asked":"2026-11-30T05:24:13Z","question":"How many lifeboats shall the operator keep?","found":true,"answer":"The operator shall keep a lifeboat for every forty passengers.","statements":[{"text":"The operator shall keep a lifeboat for every forty passengers.","citations":[0],"kept":true,"reason":null,"marks":[[4,12],[13,18],[19,23],[26,34]]}],"citations":[{"document":2,"title":"Ferry Safety Act 2021","language":"en","page":1,"section":"Article 1","boxes":[],"quote":"The operator shall keep a lifeboat for every forty passengers.","sentence":9,"external_id":null,"superseded_by":null}],"passages":[{"document":2,"title":"Ferry Safety Act 2021","language":"en","page":1,"section":"Article 1","boxes":[],"quote":"The operator shall keep a lifeboat for every forty passengers.","sentence":9,"external_id":null,"superseded_by":null,"text":"The operator shall keep a lifeboat for every forty passengers.","score":1.0,"marks":[[4,12],[13,18],[19,23],[26,34]]},{"document":3,"title":"Policy of the Line","language":"en","page":1,"section":"1","boxes":[],"quote":"We keep a lifeboat for every forty passengers on each ship.","sentence":14,"external_id":null,"superseded_by":null,"text":"We keep a lifeboat for every forty passengers on each ship.","score":0.524445662527059,"marks":[[3,7],[10,18]]}],"premise":null,"terms":[],"notes":[{"note":"words_only"},{"note":"out_of_force_left_out","documents":1}],"probability":0.9516362791162118,"threshold":0.6,"certificate":{"alpha":0.05,"confidence":0.95,"n":0,"wrong":0,"answered_share":null,"valid":false,"reason":"not_measured","needed":59,"made":null},"model":"extractive","adapter":null,"written":null,"index":{"mode":"lexical","clauses":15,"tokeniser":"words (English stemmed, stop words out), CJK bigrams, pairs of words at half weight, of bigrams at a tenth","encoder":"","ranker":null},"corpus_hash":"9dd47d7816869d4273c3f4a495863a4d5bdf8bfb5620853511bce319693461a3","documents":4,"as_of":"2026-11-30","audit_entry":null}');
CREATE TABLE reply_verdict (
            id INTEGER PRIMARY KEY,
            reply INTEGER NOT NULL REFERENCES reply (id),
            judged TEXT NOT NULL,
            actor TEXT NOT NULL,
            verdict TEXT NOT NULL
        ) STRICT;
INSERT INTO reply_verdict VALUES(1,1,'2026-11-30T05:24:14.333Z','A. Reviewer','right');
CREATE TABLE pair (
            id INTEGER PRIMARY KEY,
            name TEXT NOT NULL,
            question TEXT NOT NULL,
            passages TEXT NOT NULL,
            answer TEXT,
            source TEXT NOT NULL
        ) STRICT;
INSERT INTO pair VALUES(1,'answer 1','Within how many hours must the master report a collision?','["#16"]',NULL,'verdict');
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
INSERT INTO matching VALUES(1,'2026-11-30T05:24:16.689Z','A. Reviewer','{"rows":[{"rule":{"id":9,"document":2,"page":1,"text":"The operator shall keep a lifeboat for every forty passengers.","section":"Article 1"},"policies":[{"id":14,"document":3,"page":1,"text":"We keep a lifeboat for every forty passengers on each ship.","section":"1","score":1.0,"votes":4,"covers":true,"found_by":["words","meaning"]},{"id":16,"document":3,"page":1,"text":"The master reports a collision to the harbour office within one hour.","section":"2","score":-1.0,"votes":1,"covers":false,"found_by":["words"]}],"status":"unreviewed","verdict":"covered","relation":"intersects","probability":0.8924565878782083,"differences":[{"kind":"silent","rule":"operator","policy":"","side":"silent"}],"nearest":[],"by_method":[{"method":"bm25","statements":[14]},{"method":"tfidf","statements":[14]},{"method":"grams","statements":[14,16]},{"method":"vectors","statements":[14]},{"method":"combined","statements":[14]}],"severity":"none","binds":"firm","method":"words and vectors by all-MiniLM-L6-v2"}],"statements":2,"passed_over":1,"set_aside":{"recitals":0,"public":0},"to_a_model":0,"method":"words and vectors by all-MiniLM-L6-v2","channels":["words","meaning"],"warnings":[],"decided_until":0,"request":{"rules":[2],"policies":[3],"encoder":null,"words_alone":false,"top":10,"everyone":false},"made":"2026-11-30T05:24:16Z"}');
CREATE TABLE match_decision (
            id INTEGER PRIMARY KEY,
            rule INTEGER NOT NULL,
            made TEXT NOT NULL,
            actor TEXT NOT NULL,
            body TEXT NOT NULL
        ) STRICT;
INSERT INTO match_decision VALUES(1,9,'2026-11-30T05:24:17.034Z','A. Reviewer','{"id":0,"rule":{"id":9,"document":2,"page":1,"text":"The operator shall keep a lifeboat for every forty passengers.","section":"Article 1"},"accepted":true,"undecided":false,"verdict":"covered","relation":"intersects","policies":[{"id":14,"document":3,"page":1,"text":"We keep a lifeboat for every forty passengers on each ship.","section":"1"}],"note":"Word for word.","owner":"","due":null,"against":[3],"made":"","actor":"A. Reviewer"}');
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
CREATE TABLE validity (
            id INTEGER PRIMARY KEY,
            document INTEGER NOT NULL REFERENCES document (id),
            body TEXT NOT NULL,
            made TEXT NOT NULL
        ) STRICT;
INSERT INTO validity VALUES(1,1,'{"until":"2021-02-28"}','2026-11-30T05:24:05.508Z');
INSERT INTO validity VALUES(2,1,'{"repealed":"2021-03-01"}','2026-11-30T05:24:05.896Z');
INSERT INTO validity VALUES(3,2,'{"from":"2021-03-01"}','2026-11-30T05:24:06.366Z');
INSERT INTO validity VALUES(4,3,'{"from":"2021-04-01"}','2026-11-30T05:24:06.865Z');
INSERT INTO validity VALUES(5,3,'{}','2026-11-30T05:24:07.39Z');
DELETE FROM sqlite_sequence;
INSERT INTO sqlite_sequence VALUES('term',3);
INSERT INTO sqlite_sequence VALUES('act',4);
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
CREATE INDEX validity_of_document ON validity (document, id);
CREATE TRIGGER validity_is_never_changed BEFORE UPDATE ON validity BEGIN SELECT RAISE(ABORT, 'rows of validity are never changed'); END;
CREATE TRIGGER validity_is_never_deleted BEFORE DELETE ON validity BEGIN SELECT RAISE(ABORT, 'rows of validity are never deleted'); END;
PRAGMA writable_schema=OFF;
COMMIT;
