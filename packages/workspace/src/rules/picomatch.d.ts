// picomatch ships no types; this is the part that we use.
declare module "picomatch" {
  export interface PicomatchOptions {
    readonly debug?: boolean;
    readonly dot?: boolean;
    readonly noextglob?: boolean;
    readonly noglobstar?: boolean;
    readonly nonegate?: boolean;
    readonly posix?: boolean;
    readonly strictBrackets?: boolean;
  }
  const picomatch: {
    /** Throws with `debug` where the glob makes no valid expression. */
    makeRe(glob: string, options?: PicomatchOptions): RegExp;
  };
  export default picomatch;
}
