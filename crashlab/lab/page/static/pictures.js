/* Pictures with their text as alternative text, which JupyterLab omits. */

const KINDS = ['image/png', 'image/jpeg'];
const RANK = 89; // before JupyterLab's own (90)

export function describePictures(rendermime) {
  for (const kind of KINDS) {
    const factory = rendermime.getFactory(kind);
    const createRenderer = options => {
      const renderer = factory.createRenderer(options);
      const render = renderer.renderModel.bind(renderer);
      renderer.renderModel = async output => {
        await render(output);
        renderer.node.querySelector('img').alt = output.data['text/plain'] ?? '';
      };
      return renderer;
    };
    rendermime.addFactory({ safe: true, mimeTypes: [kind], createRenderer }, RANK);
  }
}
