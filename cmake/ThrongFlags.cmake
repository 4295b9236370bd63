# Flags that every target of ours shares, and the flags of each instruction set.

# Results must have the same bits everywhere: no contraction to fused multiply-add, no fast-math.
# -fno-math-errno only lets sqrtf become an instruction.
set(THRONG_EXACT_FLAGS -ffp-contract=off -fno-math-errno)

set(THRONG_WARNINGS -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wmissing-prototypes
  -Wstrict-prototypes -Wvla -Wundef)
if(CMAKE_C_COMPILER_ID MATCHES Clang) # it also means fields within those that are named, which are meant to be 0
  list(APPEND THRONG_WARNINGS -Wno-missing-field-initializers)
endif()

# Flags of each instruction set; width 1 and the architecture's base set need none.
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
  set_target_properties(${target} PROPERTIES C_STANDARD 17 C_STANDARD_REQUIRED ON C_EXTENSIONS OFF)
  if(THRONG_RELINK)
    set_target_properties(${target} PROPERTIES C_VISIBILITY_PRESET hidden)
  endif()
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

# Compiles kernels (sources over the lane vocabulary of src/simd) once for each instruction set of this
# architecture, with that set's flags and its lanes, and adds them to a target. An object library
# cannot hold other objects: who links it adds ${<target>_KERNELS}.
function(throng_add_kernels target)
  set(objects)
  foreach(isa IN LISTS THRONG_ISAS)
    set(kernels ${target}_${isa})
    add_library(${kernels} OBJECT ${ARGN})
    throng_settings(${kernels})
    set_target_properties(${kernels} PROPERTIES POSITION_INDEPENDENT_CODE ON)
    target_compile_options(${kernels} PRIVATE ${THRONG_ISA_FLAGS_${isa}}
      "SHELL:-include \"${PROJECT_SOURCE_DIR}/src/simd/lanes_${isa}.h\"")
    target_include_directories(${kernels} PRIVATE
      $<TARGET_PROPERTY:${target},INCLUDE_DIRECTORIES> ${PROJECT_SOURCE_DIR}/src
      ${PROJECT_SOURCE_DIR}/include)
    target_compile_definitions(${kernels} PRIVATE $<TARGET_PROPERTY:${target},COMPILE_DEFINITIONS>)
    list(APPEND objects $<TARGET_OBJECTS:${kernels}>)
  endforeach()
  get_target_property(type ${target} TYPE)
  if(NOT type STREQUAL OBJECT_LIBRARY)
    target_sources(${target} PRIVATE ${objects})
  endif()
  set(${target}_KERNELS ${objects} PARENT_SCOPE)
endfunction()
