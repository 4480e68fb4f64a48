// SPDX-License-Identifier: Apache-2.0
import com.sun.source.tree.ClassTree;
import com.sun.source.tree.LambdaExpressionTree;
import com.sun.source.tree.MemberReferenceTree;
import com.sun.source.tree.Tree;
import com.sun.source.tree.VariableTree;
import com.sun.source.util.JavacTask;
import com.sun.source.util.TreePath;
import com.sun.source.util.TreePathScanner;
import com.sun.source.util.Trees;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import javax.lang.model.element.Element;
import javax.lang.model.element.ElementKind;
import javax.lang.model.element.Modifier;
import javax.lang.model.element.TypeElement;
import javax.lang.model.type.ArrayType;
import javax.lang.model.type.DeclaredType;
import javax.lang.model.type.TypeMirror;
import javax.tools.ToolProvider;

/** Counts in the files on stdin. Arguments: class path; anything more to list what is counted. */
final class Sources extends TreePathScanner<Void, Void> {
  private static final String CORE = "emulator-core";
  private static final String BINDINGS = "bindings/.*|native|native-provider|disni";
  private static final Set<Modifier> CONSTANT = Set.of(Modifier.STATIC, Modifier.FINAL);

  /** Names of variables that need no word of a type. */
  private static final String ROLES = ".|from|to|next|other|first|last";

  private static final String UNUSED = "public types without a user outside their package";
  private static final String ONE = "interfaces with one implementation";
  private static final String UNNAMED = "variables without a word of their type";
  private static final Pattern COMMENT =
      Pattern.compile(
          "\"\"\"[\\s\\S]*?\"\"\"|\"(?:\\\\.|[^\"\\\\\n])*\"|'(?:\\\\.|[^'\\\\\n])+'"
              + "|(/\\*[\\s\\S]*?\\*/|//(?! SPDX)[^\n]*(?:\n\\s*//[^\n]*)*)");
  private static final Pattern RELEASE = Pattern.compile("<maven.compiler.release>(\\d+)");
  private static final Pattern WORD = Pattern.compile("[A-Z]?[a-z]+|[A-Z]+(?![a-z])");

  private final Map<String, String> texts = new TreeMap<>();
  private final Map<String, Integer> counts = new TreeMap<>();
  private final Map<String, Set<String>> lists = new TreeMap<>();

  /** Outermost types of main code, and the packages that use each. */
  private final Map<Element, Set<String>> users = new HashMap<>();

  private final Map<Element, String> files = new HashMap<>();
  private final Map<Element, Set<Object>> implementations = new HashMap<>();
  private JavacTask task;
  private Trees trees;

  public static void main(String[] args) throws Exception {
    Sources sources = new Sources();
    for (String name : new String(System.in.readAllBytes()).lines().toList()) {
      if (name.matches(".*\\.(java|c|h|xml)|.*/META-INF/services/.*")) {
        sources.texts.put(name, Files.readString(Path.of(name)));
      }
    }
    for (String row : List.of(UNUSED, ONE, UNNAMED)) {
      List.of("core: ", "other: ").forEach(where -> sources.count(where + row, 0));
    }
    sources.texts.forEach(sources::countLines);
    sources.resolve(args[0]);
    sources.countTypes();
    sources.counts.forEach((name, count) -> System.out.println(name + '\t' + count));
    if (args.length > 1) {
      sources.lists.forEach(
          (name, all) -> System.err.println(String.join("\n" + name + ": ", all)));
    }
  }

  private void count(String name, int number) {
    counts.merge(name, number, Integer::sum);
  }

  private void list(String name, String entry) {
    count(name, 1);
    lists.computeIfAbsent(name, first -> new TreeSet<>(Set.of(""))).add(entry);
  }

  /** The directory of the nearest pom.xml. */
  private String module(String file) {
    int slash = file.lastIndexOf('/');
    if (slash < 0) return "";
    String directory = file.substring(0, slash);
    return texts.containsKey(directory + "/pom.xml") ? directory : module(directory);
  }

  private String where(Element type) {
    return module(files.get(type)).endsWith(CORE) ? "core: " : "other: ";
  }

  private static boolean isMain(String file) {
    return file.contains("/src/main/") && !file.startsWith("tests/");
  }

  private void countLines(String file, String text) {
    if (!file.matches("tests/.*\\.(java|c|h)|.*/src/(main|test)/.*\\.(java|c|h)")) return;
    String kind = isMain(file) ? "main" : "test";
    int lines = (int) text.lines().count();
    count(kind + " lines: " + module(file), lines);
    count(kind + " lines: ALL", lines);
    if (!module(file).matches(BINDINGS)) count(kind + " lines: ALL but bindings", lines);
    COMMENT
        .matcher(text)
        .results()
        .filter(token -> token.group(1) != null && file.endsWith(".java"))
        .forEach(token -> count("comments: " + kind, 1));
  }

  /** Resolves main code, without modules in a newer Java than this: javac may fail on them. */
  private void resolve(String classPath) throws Exception {
    List<String> main = new ArrayList<>(texts.keySet());
    main.removeIf(file -> !isMain(file) || !file.endsWith(".java") || file.endsWith("-info.java"));
    main.removeIf(file -> release(module(file)) > Runtime.version().feature());
    var compiler = ToolProvider.getSystemJavaCompiler();
    var manager = compiler.getStandardFileManager(null, null, null);
    var sources = manager.getJavaFileObjectsFromStrings(main);
    var options = List.of("-proc:none", "-cp", classPath, "-XDshould-stop.ifError=FLOW");
    task = (JavacTask) compiler.getTask(null, manager, problem -> {}, options, null, sources);
    trees = Trees.instance(task);
    List<TreePath> units = new ArrayList<>();
    task.parse().forEach(unit -> units.add(new TreePath(unit)));
    task.analyze().forEach(type -> users.put(outermost(type), new HashSet<>()));
    units.forEach(unit -> scan(unit, null));
  }

  private int release(String module) {
    Matcher release = RELEASE.matcher(texts.get(module + "/pom.xml"));
    return release.find() ? Integer.parseInt(release.group(1)) : 0;
  }

  @Override
  public Void scan(Tree tree, Void none) {
    if (tree != null) visit(tree, new TreePath(getCurrentPath(), tree));
    return super.scan(tree, none);
  }

  private void visit(Tree tree, TreePath path) {
    Element element = trees.getElement(path);
    Set<String> packages = users.get(outermost(element));
    if (packages != null) packages.add("" + path.getCompilationUnit().getPackageName());
    if (tree instanceof ClassTree && element instanceof TypeElement type) {
      files.put(type, path.getCompilationUnit().getSourceFile().getName());
      if (!type.getModifiers().contains(Modifier.ABSTRACT)) addImplementation(type, type.asType());
    } else if (tree instanceof LambdaExpressionTree || tree instanceof MemberReferenceTree) {
      addImplementation(tree, trees.getTypeMirror(path));
    } else if (tree instanceof VariableTree && element != null) {
      countVariable(element);
    }
  }

  private void addImplementation(Object implementation, TypeMirror type) {
    if (!(type instanceof DeclaredType declared)) return;
    Element element = declared.asElement();
    implementations.computeIfAbsent(element, first -> new HashSet<>()).add(implementation);
    for (TypeMirror parent : task.getTypes().directSupertypes(type)) {
      addImplementation(implementation, parent);
    }
  }

  private void countVariable(Element variable) {
    Element owner = outermost(variable);
    String name = variable.getSimpleName().toString();
    if (variable.getModifiers().containsAll(CONSTANT) || name.matches(ROLES)) return;
    List<String> types = new ArrayList<>();
    addProjectTypes(variable.asType(), types);
    if (types.isEmpty() || module(files.get(owner)).matches(BINDINGS)) return;
    count(where(owner) + "variables of a project type", 1);
    if (types.stream().noneMatch(type -> shareWord(name, type))) {
      list(where(owner) + UNNAMED, owner + " " + types + " " + name);
    }
  }

  /** Adds the type if it is one of the project; else those it is an array or a container of. */
  private void addProjectTypes(TypeMirror type, List<String> found) {
    if (type instanceof ArrayType array) addProjectTypes(array.getComponentType(), found);
    if (!(type instanceof DeclaredType declared)) return;
    if (users.containsKey(outermost(declared.asElement()))) {
      found.add(declared.asElement().getSimpleName().toString());
    } else {
      declared.getTypeArguments().forEach(argument -> addProjectTypes(argument, found));
    }
  }

  /** Whether a word of the name is or begins one of the type, ends with one, or is initials. */
  private static boolean shareWord(String name, String type) {
    String initials = type.replaceAll("[^A-Z]", "").toLowerCase();
    for (String word : words(name)) {
      if (word.length() > 1 && initials.contains(word)) return true;
      for (String w : words(type)) {
        if (word.startsWith(w) || word.endsWith(w) || word.length() > 1 && w.startsWith(word)) {
          return true;
        }
      }
    }
    return false;
  }

  private static List<String> words(String name) {
    return WORD.matcher(name).results().map(word -> word.group().toLowerCase()).toList();
  }

  private void countTypes() {
    // Tests, services, main classes and native code name a type in full.
    String others =
        texts.entrySet().stream()
            .filter(e -> !isMain(e.getKey()) || !e.getKey().matches(".*(?<!module-info)\\.java"))
            .map(e -> e.getValue().replace('/', '.'))
            .collect(Collectors.joining());
    Predicate<Element> isExported =
        type -> others.contains("exports " + outermost(type).getEnclosingElement() + ";");
    users.forEach(
        (type, packages) -> {
          if (!type.getModifiers().contains(Modifier.PUBLIC)) return;
          count(where(type) + "public types", 1);
          packages.remove(type.getEnclosingElement().toString());
          if (!packages.isEmpty() || isExported.test(type)) return;
          if (Pattern.compile("\\b" + type + "\\b").matcher(others).find()) return;
          list(where(type) + UNUSED, "" + type);
        });
    users.keySet().stream()
        .collect(Collectors.toMap(Element::getEnclosingElement, this::where, (a, b) -> a))
        .forEach((home, where) -> count(where + "packages", 1));
    implementations.forEach(
        (type, by) -> {
          if (type.getKind() != ElementKind.INTERFACE || by.size() > 1) return;
          if (!files.containsKey(type) || by.iterator().next() instanceof Tree) return;
          // The API of verbs is there to be implemented by others.
          if (where(type).equals("other: ") && isExported.test(type)) return;
          list(where(type) + ONE, type + " by " + by);
        });
  }

  private static Element outermost(Element element) {
    Element of = element == null ? null : element.getEnclosingElement();
    return of == null || of.getKind() == ElementKind.PACKAGE ? element : outermost(of);
  }
}
