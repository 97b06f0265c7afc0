// What shells must know to complete `highwater`: each asks `highwater __complete`, which answers a word a line and, behind a
// tab, what it is. A word that ends with "=" or "/" goes on.

export const SHELLS = ['bash', 'zsh', 'fish', 'powershell'] as const;

export type Shell = (typeof SHELLS)[number];

// Readline breaks words at "=" and ":", so what stands before the last of them must not be answered again.
const BASH = String.raw`# For bash: source <(highwater completion bash)
_highwater() {
  local line=${'${COMP_LINE:0:COMP_POINT}'} words=() typed before word quoted
  read -a words <<< "$line"
  [[ $line == *[[:space:]] ]] && words+=('')
  typed=${'${words[${#words[@]} - 1]}'}
  before=${'${typed%"${typed##*[=:]}"}'}
  COMPREPLY=()
  while IFS=$'\t' read -r word _; do
    printf -v quoted '%q' "${'${word#"$before"}'}"
    COMPREPLY+=("$quoted")
  done < <("$1" __complete -- "${'${words[@]:1}'}" 2>/dev/null)
  if [[ ${'${#COMPREPLY[@]}'} -eq 1 && ${'${COMPREPLY[0]}'} == *[=/] ]]; then compopt -o nospace 2>/dev/null; fi
}
complete -o nosort -F _highwater highwater 2>/dev/null || complete -F _highwater highwater
`;

const ZSH = String.raw`#compdef highwater
# For zsh: source <(highwater completion zsh), behind compinit
_highwater() {
  local word says
  local -a whole wholeSays open openSays
  while IFS=$'\t' read -r word says; do
    if [[ $word == *[=/] ]]; then
      open+=("$word") openSays+=("$word${'${says:+  -- $says}'}")
    else
      whole+=("$word") wholeSays+=("$word${'${says:+  -- $says}'}")
    fi
  done < <("$words[1]" __complete -- "${'${(@Q)words[2,CURRENT-1]}'}" "${'${(Q)PREFIX}'}" 2>/dev/null)
  (( $#whole )) && compadd -l -d wholeSays -a whole
  (( $#open )) && compadd -S '' -l -d openSays -a open
}
compdef _highwater highwater
`;

const FISH = String.raw`# For fish: highwater completion fish | source
function __highwater_complete
    set -l words (commandline -opc) (commandline -ct)
    $words[1] __complete -- $words[2..] 2>/dev/null
end
complete -c highwater -f -a '(__highwater_complete)'
`;

// Never run: there is no PowerShell where this is built and tested. Old versions drop empty
// arguments, so that a new word begins is said in another way.
const POWERSHELL = String.raw`# For PowerShell: highwater completion powershell | Out-String | Invoke-Expression
Register-ArgumentCompleter -Native -CommandName highwater -ScriptBlock {
    param($typed, $tree, $cursor)
    $words = @($tree.CommandElements | Select-Object -Skip 1 |
        Where-Object { $_.Extent.EndOffset -le $cursor } | ForEach-Object { $_.Extent.Text.Trim("'", '"') })
    $found = if ($typed) { highwater __complete -- @words } else { highwater __complete --next -- @words }
    $found | ForEach-Object {
        $word, $says = $_ -split "${'`t'}", 2
        $shown = if ($word -match '[()|;&\s]') { "'$word'" } else { $word }
        if (-not $says) { $says = $word }
        [System.Management.Automation.CompletionResult]::new($shown, $word, 'ParameterValue', $says)
    }
}
`;

const SCRIPTS: Readonly<Record<Shell, string>> = { bash: BASH, zsh: ZSH, fish: FISH, powershell: POWERSHELL };

/** The script that makes a shell complete `highwater`. */
export function completionScript(shell: Shell): string {
  return SCRIPTS[shell];
}
