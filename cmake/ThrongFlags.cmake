# Flags that every target of ours shares, and the flags of each instruction set.

# Results must have the same bits everywhere: no contraction to fused multiply-add, no fast-math.
# -fno-math-errno only lets sqrtf become an instruction.
set(THRONG_EXACT_FLAGS -ffp-contract=off -fno-math-errno)

set(THRONG_WARNINGS -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wmissing-prototypes
  -Wstrict-prototypes -Wvla -Wundef)

# The suffix of a source file names its instruction set; width 1 and the architecture's base set
# need no flags.
set(THRONG_ISA_FLAGS_scalar "")
set(THRONG_ISA_FLAGS_sse2 -msse2)
set(THRONG_ISA_FLAGS_avx2 -mavx2)
set(THRONG_ISA_FLAGS_avx512 -mavx512f -mavx512vl -mavx512dq -mavx512bw -mprefer-vector-width=512)
set(THRONG_ISA_FLAGS_neon "")
set(THRONG_ISA_FLAGS_wasm128 -msimd128)

if(CMAKE_SYSTEM_PROCESSOR MATCHES "^(x86_64|AMD64|amd64)$")
  set(THRONG_ISAS scalar sse2 avx2 avx512)
elseif(CMAKE_SYSTEM_PROCESSOR MATCHES "^(aarch64|arm64)$")
  set(THRONG_ISAS scalar neon)
elseif(CMAKE_SYSTEM_PROCESSOR MATCHES "^wasm32$")
  set(THRONG_ISAS scalar wasm128)
else()
  set(THRONG_ISAS scalar)
endif()

# Settings of one target of ours.
function(throng_settings target)
  set_target_properties(${target} PROPERTIES C_STANDARD 17 C_STANDARD_REQUIRED ON C_EXTENSIONS OFF
    C_VISIBILITY_PRESET hidden)
  target_compile_options(${target} PRIVATE ${THRONG_EXACT_FLAGS} ${THRONG_WARNINGS}
    $<$<BOOL:${THRONG_WERROR}>:-Werror>)
  target_compile_definitions(${target} PRIVATE THRONG_VALIDATE=$<BOOL:${THRONG_VALIDATE}>
    THRONG_THREADS=$<BOOL:${THRONG_THREADS}>)
  if(THRONG_SANITIZE)
    target_compile_options(${target} PRIVATE -fsanitize=${THRONG_SANITIZE} -fno-omit-frame-pointer
      -fno-sanitize-recover=all)
    target_link_options(${target} PUBLIC -fsanitize=${THRONG_SANITIZE})
  endif()
endfunction()

# Adds <stem>_<isa>.c for each instruction set of this architecture, with that set's flags.
function(throng_add_kernels target stem)
  foreach(isa IN LISTS THRONG_ISAS)
    target_sources(${target} PRIVATE ${stem}_${isa}.c)
    if(THRONG_ISA_FLAGS_${isa})
      set_source_files_properties(${stem}_${isa}.c PROPERTIES COMPILE_OPTIONS
        "${THRONG_ISA_FLAGS_${isa}}")
    endif()
  endforeach()
endfunction()
