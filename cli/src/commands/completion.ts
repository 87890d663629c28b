// Prints the completion scripts of shells, which call `slipway complete`.
import type { CommandSpec } from '../command.ts';
import { UsageError } from '../errors.ts';
import { escapeText } from '../text.ts';

const BASH = `# slipway, for bash: source <(slipway completion bash)
_slipway() {
  local value about
  COMPREPLY=()
  while IFS=$'\\t' read -r value about; do
    COMPREPLY+=("$value")
  done < <(slipway complete -- "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
  if [[ \${COMPREPLY[0]} == *= ]]; then compopt -o nospace; fi
}
complete -F _slipway slipway
`;

const ZSH = `#compdef slipway
# slipway, for zsh: source <(slipway completion zsh)
_slipway() {
  local value about
  local -a found
  while IFS=$'\\t' read -r value about; do
    found+=("\${value//:/\\\\:}:$about")
  done < <(slipway complete -- "\${(@)words[2,CURRENT]}" 2>/dev/null)
  _describe slipway found
}
compdef _slipway slipway
`;

const FISH = `# slipway, for fish: slipway completion fish | source
complete -c slipway -f -a '(slipway complete -- (commandline -opc)[2..-1] (commandline -ct) 2>/dev/null)'
`;

const POWERSHELL = `# slipway, for PowerShell 7.3 and later: slipway completion powershell | Out-String | Invoke-Expression
Register-ArgumentCompleter -Native -CommandName slipway -ScriptBlock {
  param($wordToComplete, $commandAst, $cursorPosition)
  $words = @($commandAst.CommandElements | Select-Object -Skip 1 | ForEach-Object { "$_" })
  if ($wordToComplete -eq '') { $words += '' }
  slipway complete -- @words 2>$null | ForEach-Object {
    $value, $about = $_ -split "\`t", 2
    [System.Management.Automation.CompletionResult]::new($value, $value, 'ParameterValue', "$about ")
  }
}
`;

const SCRIPTS: Readonly<Record<string, string>> = { bash: BASH, zsh: ZSH, fish: FISH, powershell: POWERSHELL };

export const completion: readonly CommandSpec[] = [
  {
    name: '',
    args: '<shell>',
    summary: 'print a completion script for bash, zsh, fish or powershell',
    example: 'completion bash',
    about: 'The first line of the script shows how to load it.',
    isAlone: true,
    async run({ io, args }) {
      const { shell = '' } = args;
      const script = Object.hasOwn(SCRIPTS, shell) ? SCRIPTS[shell] : undefined;
      if (!script)
        throw new UsageError(`<shell> must be one of ${Object.keys(SCRIPTS).join(', ')}, not ${escapeText(shell)}.`);
      io.out(script);
    },
  },
];
