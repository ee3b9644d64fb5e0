// The part of WebAssembly's types that the grammars use: Node's own types leave them to those of the browser.
declare namespace WebAssembly {
  class Memory {
    constructor(size: { readonly initial: number; readonly maximum: number });
    readonly buffer: ArrayBuffer;
  }
}
