"""The compiler for the rules of a game, and the loops that run compiled.

`choose_backend` lists the backends and takes the compiled one when it is ready: WebAssembly (`wasm.wasm_backend`),
emitted from the source of the interpreted functions.

- `read_function` parses a function. `type_inference` infers the kind of each value (int, unsigned, float, row, table,
  always -1, ...) from the kinds of the arguments, so nothing is annotated for it. `emit_function` writes the
  instructions, `emit_module` a module with every function that one function reaches.
- A row is an address, with its length in front. A table is an address, with its fields at known distances behind it,
  and then its indexes. Constants are data. Without an observer, `happen` is a store, and causes, rules and traces are
  left out. `table_doors` has the three versions of each function that changes a table.
- Small functions are inlined, loops of known length are unrolled up to a budget, and an `if` that only sets a number
  has no jump. `handwritten` has the handwritten parts: copies, and the comparisons of searches.
- `second_gear` compiles with LLVM what has run for some seconds, in the same memory. The function is emitted again,
  with checked indexes and nothing inlined, and `lift` translates it to LLVM's text: a new instruction needs its line
  there. `checked` modules and house rules stay with wasmtime.
- `desktop` runs modules by wasmtime, with one memory for all threads and NumPy; `browser` by the browser, in the
  memory of Pyodide. `module_cache` keeps modules, each with a hash, in the folder of `disk_cache`.
- Rules and kernels may use ints, floats and rows of them; `if`, `while`, `for` over `range`, a row or literal values;
  `and`, `or`, `not`, comparisons, `in` literal values; `min`, `max`, `abs`, `len`, `int`, `bool`; other functions
  with defaults; several results. The compiler refuses anything else with its line. House rules may index from the end
  of a row.
- A number has 64 bits; `//` and `%` round down; indexes are checked only under `checked`.
  `tests/compiled/test_wasm.py` has a small test for each construct: a new one begins there. A branch decided by
  chance costs more than a loop of eleven steps.
"""
