/* The entry point through which JupyterLab loads this extension, written by hand instead of by a bundler; there is
 * no build step.
 *
 * JupyterLab runs this script, passes the modules that it shares with extensions (`init`), and gets the plugin
 * (`get`). The files of this folder run unchanged: plain modules in the language of current browsers.
 */
(() => {
  const here = document.currentScript.src;
  let common; // module name -> version -> factory

  /** Return a module of JupyterLab: the loaded version, otherwise the newest. */
  async function module(name) {
    const versions = Object.keys(common[name]).sort((one, other) => one.localeCompare(other, 'en', { numeric: true }));
    const version = versions.find(candidate => common[name][candidate].loaded) ?? versions.at(-1);
    const make = await common[name][version].get();
    return make();
  }

  window._JUPYTERLAB = window._JUPYTERLAB ?? {};
  window._JUPYTERLAB.crashlab = {
    init(modules) {
      common = modules;
    },
    async get() {
      const { plugin } = await import(new URL('plugin.js', here));
      const notebooks = await module('@jupyterlab/notebook');
      const { Panel } = await module('@lumino/widgets');
      const exported = { __esModule: true, default: plugin(notebooks, Panel) };
      return () => exported;
    },
  };
})();
