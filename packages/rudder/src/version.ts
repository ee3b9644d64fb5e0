// The version alone: a program that loads it lazily takes nothing else of base along.
export { VERSION } from "@jeeves/base";
