# The messages of the connection manager in a capture, as we and as TShark see them: a line for each field that differs, and the
# number of fields that agree. Input: lines of `decode --json`, slurped; $table: cm-fields.tsv; $columns, $theirs: what TShark printed.
def words: split("\n") | map(select(length > 0 and (startswith("#") | not)) | split("\t"));
def groups: if . == "" then [] else split(":") end;
def full_ipv6:
  split("::") as $halves | ($halves[0] | groups) as $left | ($halves[1] // "" | groups) as $right
  | if ($halves | length) == 2 then $left + [range(8 - ($left + $right | length)) | "0"] + $right else $left end
  | map(("0000" + .)[-4:]) | join(":");
def hex: explode | reduce .[] as $c (0; . * 16 + ($c | if . > 96 then . - 87 else . - 48 end));
def mapped: [split(".")[] | tonumber | . as $n | [$n / 16 | floor, $n % 16] | map("0123456789abcdef"[.:. + 1]) | add]
  | "0000:0000:0000:0000:0000:ffff:" + .[0] + .[1] + ":" + .[2] + .[3];
# What TShark says in the form that ours has.
def like($ours):
  if ($ours | type) == "number" then (if startswith("0x") then .[2:] | hex else tonumber end)
  elif ($ours | startswith("0x")) then .
  elif ($ours | test("^[0-9a-f:]*:[0-9a-f:]*$")) then
    (if test("^[0-9a-f]{32}$") then [scan("....")] | join(":") elif test("[.]") then mapped else full_ipv6 end)
  elif ($ours | test("[.]")) then .
  else sub("(00)+$"; "") end;
def full($ours): if ($ours | type) == "string" and ($ours | test("^[0-9a-f]*:[0-9a-f:]*:[0-9a-f:]*$")) then $ours | full_ipv6 else $ours end;
# A field under whichever name TShark uses for its family.
def theirs($row; $name):
  $row[$name] // $row[$name + "_ipv4"] // $row[$name + "4"] // $row[$name + "6"]
  // if $name == "infiniband.cm.req.serviceid" and $row[$name + ".prefix"]
     then "0x" + $row[$name + ".prefix"] + $row[$name + ".protocol"][2:] + $row[$name + ".dport"][2:] else null end;
($columns | split(" ")) as $names
| ($theirs | words | map([$names, .] | transpose | map(select(.[1] != "") | {(.[0]): .[1]}) | add)
  | map({(.["frame.number"]): .}) | add) as $rows
| ($table | words) as $fields
| [ .[] | select(.cm) | . as $packet | $rows[.frame | tostring] as $row
    | $fields[] | select(.[0] == "any" or .[0] == $packet.cm)
    | . as [$message, $name, $own] | theirs($row; $name) as $said
    | {frame: $packet.frame, own: $own, ours: full($packet[$own]), said: (if $said == null then null else $said | like($packet[$own]) end)} ]
| (map(select(.ours != .said)) | .[] | "frame \(.frame) \(.own): we say \(.ours), TShark \(.said)"),
  "agreed=\(map(select(.ours == .said)) | length)"
