// Gloo is compiled into libtorch, whose packages leave its headers out. c10d's headers include them and use
// only what these files declare; nothing of Gloo is instantiated here.
#pragma once
