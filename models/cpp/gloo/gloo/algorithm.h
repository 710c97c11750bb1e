// Gloo is compiled into libtorch, but libtorch's packages do not contain Gloo's headers. The headers of c10d include
// them and use only what these files declare. No class of Gloo is created here.
#pragma once
