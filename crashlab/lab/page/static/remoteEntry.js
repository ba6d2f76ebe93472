/* How JupyterLab loads this extension: by hand, what a bundler would write. There is nothing to build.
 *
 * JupyterLab runs this script, hands over the modules that it has in common with its extensions (`init`), and asks for
 * the plugin (`get`). What is written in this folder is what runs: plain modules, in the language of today's browsers.
 */
(() => {
  const here = document.currentScript.src;
  let common; // name of a module -> its version -> how to get it

  /** One of JupyterLab's own modules: the version that runs already, else the newest. */
  async function module(name) {
    const versions = Object.keys(common[name]).sort((one, other) => one.localeCompare(other, 'en', { numeric: true }));
    const version = versions.find(each => common[name][each].loaded) ?? versions.at(-1);
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
