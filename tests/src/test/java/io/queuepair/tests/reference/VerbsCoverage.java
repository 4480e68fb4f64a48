// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tests.reference;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaMethod;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import io.queuepair.tests.conformance.TsvTable;
import io.queuepair.tests.support.SourceTree;
import io.queuepair.verbs.Verb;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/** Every function of a library, and what became of it. */
final class VerbsCoverage {
  /** Verbs that this version leaves out; nothing else may be missing. */
  static final Set<String> LEFT_OUT =
      new TreeSet<>(
          List.of(
              "completion counters",
              "device memory across processes",
              "dma-buf",
              "ECE",
              "ESP flow actions",
              "tag matching"));

  private final Map<String, Set<String>> methods = new TreeMap<>();
  private final Map<String, Absence> exceptions = new LinkedHashMap<>();
  private final List<Function> functions = new ArrayList<>();

  /** A library of rdma-core whose functions the API has. */
  enum VerbsLibrary {
    LIBIBVERBS("verbs_surface.tsv", "verbs-exceptions.tsv"),
    LIBRDMACM("rdmacm_surface.tsv", "rdmacm-exceptions.tsv");

    private final String surface;
    private final String exceptions;

    VerbsLibrary(String surface, String exceptions) {
      this.surface = surface;
      this.exceptions = exceptions;
    }

    boolean has(String function) {
      return function.startsWith("rdma_") == (this == LIBRDMACM);
    }
  }

  private final VerbsLibrary library;

  /** Why a function is not there. */
  record Absence(String state, String reason) {}

  /**
   * One function.
   *
   * @param methods those that stand for it; none if it is not done
   */
  record Function(String name, String purpose, Set<String> methods, Absence absence) {
    boolean isDone() {
      return !methods.isEmpty();
    }

    boolean isExplained() {
      return isDone() || absence != null;
    }

    String state() {
      if (isDone()) {
        return "done";
      }
      return absence == null ? "not yet" : absence.state;
    }
  }

  VerbsCoverage(VerbsLibrary library) {
    this.library = library;
    var classes = SourceTree.root().resolve("verbs-api/target/classes");
    for (JavaClass api : new ClassFileImporter().importPath(classes)) {
      api.getMethods().forEach(this::addMethod);
    }
    for (String[] row : TsvTable.rows(VerbsCoverage.class, library.exceptions)) {
      exceptions.put(row[0], new Absence(row[1], row[2]));
    }
    for (String[] row : TsvTable.rows(VerbsCoverage.class, library.surface)) {
      Set<String> found = methods.getOrDefault(row[0], Set.of());
      functions.add(new Function(row[0], row[1], found, exceptions.get(row[0])));
    }
  }

  private void addMethod(JavaMethod method) {
    if (!method.isAnnotatedWith(Verb.class)) {
      return;
    }
    String name = method.getOwner().getSimpleName() + "." + method.getName();
    for (String verb : method.getAnnotationOfType(Verb.class).value()) {
      if (library.has(verb)) {
        methods.computeIfAbsent(verb, key -> new TreeSet<>()).add(name);
      }
    }
  }

  /** The functions that methods say they stand for. */
  Set<String> annotated() {
    return methods.keySet();
  }

  Map<String, Absence> exceptions() {
    return exceptions;
  }

  /** In the order of the header. */
  List<Function> functions() {
    return functions;
  }
}
