"""The compiler for the rules of a game, and the loops that run compiled.

`choose_backend` lists the backends and chooses the compiled one when it is ready. The compiled backend runs WebAssembly
(`wasm.wasm_backend`) that is emitted from the source of the interpreted functions.

- `read_function` parses a function. `type_inference` infers the kind of each value (int, unsigned, float, row, table,
  always -1, ...) from the kinds of the arguments, so the rules need no annotations. `emit_function` writes the
  instructions of a function, `emit_module` a module with every function that one function reaches.
- The class of `emit_function` is put together from one class per subject: `emit_values` (constants, folding, kinds),
  `emit_arithmetic`, `emit_rows`, `emit_calls` and `emit_control_flow`.
- A row is passed as its address; its length is stored before it. A table is passed as the address of its first field;
  the other fields follow at known offsets, then the indexes. Constant rows are stored in the module's data. Without an
  observer, `happen` is a store, and causes, rules and traces are left out. `table_doors` has the three versions of each
  door (a function that changes a table).
- A parameter of a kernel that is annotated with a NamedTuple is a *record*, such as `lines_of_play.Lines`. The compiler
  replaces it by its fields, so a record costs nothing; it can only be read, and passed on as a whole.
- Small functions are inlined, loops of known length are unrolled up to a budget, and an `if` that only sets a number
  is compiled without a jump. `handwritten` has the handwritten parts: copies, and the comparisons of searches.
- `second_gear` recompiles with LLVM each function that has run for some seconds, in the same memory. The function is
  emitted again, with checked indexes and nothing inlined, and `lift` translates it to LLVM's text. An instruction that
  the emitter did not use before needs its line in `lift`. `checked` modules and house rules stay with wasmtime.
- `desktop` runs modules by wasmtime, with one memory for all threads and NumPy; `browser` runs them by the browser, in
  the memory of Pyodide. `module_cache` keeps modules, each with a hash, in the folder of `disk_cache`.
- Rules and kernels may use ints, floats and rows of them; `if`, `while`, `for` over `range`, a row or literal values;
  `and`, `or`, `not`, comparisons, `in` literal values; `min`, `max`, `abs`, `len`, `int`, `bool`; other functions
  with defaults; several results. The compiler refuses anything else, with an error that shows the line. House rules
  may index from the end of a row.
- A number has 64 bits; `//` and `%` round down; indexes are checked only under `checked`.
  `tests/compiled/test_wasm.py` has a small test for each construct: test a new construct there first. A branch that
  depends on chance costs more than a loop of eleven steps.
"""
