// Completion scripts, made from the program's own words so that they cannot disagree with it.
import type { Command } from "commander";

interface Words {
  readonly name: string;
  readonly about: string;
  readonly options: readonly string[];
  readonly commands: readonly Words[];
}

/**
 * The completion script of a program for bash, zsh or fish; any other name of a shell gives that of bash. It has two
 * levels of commands and their options; hidden commands and options are left out.
 */
export function toCompletion(program: Command, shell: string): string {
  const words = wordsOf(program);
  if (shell === "fish") return toFish(words);
  // zsh reads bash's completion functions itself.
  const bash = toBash(words);
  return shell === "zsh" ? `autoload -U +X bashcompinit && bashcompinit\n${bash}` : bash;
}

function wordsOf(command: Command): Words {
  const visible = new Set(command.createHelp().visibleCommands(command));
  return {
    name: command.name(),
    about: command.summary() || command.description(),
    options: command.options
      .filter(({ hidden }) => !hidden)
      .map((option) => option.long ?? option.short ?? "")
      .filter((word) => word !== ""),
    // What is not for people (supervise) is not offered to them.
    commands: command.commands.filter((each) => visible.has(each)).map(wordsOf),
  };
}

function toBash(root: Words): string {
  const cases: string[] = [];
  for (const group of root.commands) {
    for (const command of group.commands) {
      cases.push(`    "${group.name} ${command.name}") words="${[...command.options, ...root.options].join(" ")}" ;;`);
    }
    const below = group.commands.map((command) => command.name);
    cases.push(`    "${group.name} "*) words="${[...below, ...group.options, ...root.options].join(" ")}" ;;`);
  }
  const top = [...root.commands.map((command) => command.name), ...root.options].join(" ");
  return `_${root.name}() {
  local words current="\${COMP_WORDS[COMP_CWORD]}" first="\${COMP_WORDS[1]}" second="\${COMP_WORDS[2]}"
  if [ "$COMP_CWORD" -le 1 ]; then first=""; fi
  if [ "$COMP_CWORD" -le 2 ]; then second=""; fi
  case "$first $second" in
${cases.join("\n")}
    *) words="${top}" ;;
  esac
  COMPREPLY=($(compgen -W "$words" -- "$current"))
}
complete -o default -F _${root.name} ${root.name}
`;
}

function toFish(root: Words): string {
  const lines: string[] = [];
  const quote = (text: string): string => `'${text.replaceAll("\\", "\\\\").replaceAll("'", "\\'")}'`;
  for (const option of root.options) lines.push(`complete -c ${root.name} -l ${option.replace(/^-+/, "")}`);
  for (const group of root.commands) {
    lines.push(`complete -c ${root.name} -n __fish_use_subcommand -a ${group.name} -d ${quote(group.about)}`);
    const below = group.commands.map((command) => command.name).join(" ");
    for (const command of group.commands) {
      const isOpen = `__fish_seen_subcommand_from ${group.name}; and not __fish_seen_subcommand_from ${below}`;
      lines.push(`complete -c ${root.name} -n ${quote(isOpen)} -a ${command.name} -d ${quote(command.about)}`);
      for (const option of command.options) {
        const seen = `__fish_seen_subcommand_from ${group.name}; and __fish_seen_subcommand_from ${command.name}`;
        lines.push(`complete -c ${root.name} -n ${quote(seen)} -l ${option.replace(/^-+/, "")}`);
      }
    }
  }
  return `${lines.join("\n")}\n`;
}
