// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tests.architecture;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideOutsideOfPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.Architectures.layeredArchitecture;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.library.Architectures.LayeredArchitecture;
import io.queuepair.tests.support.SourceTree;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.NullMarked;

/** Modules and packages depend in one direction. */
@AnalyzeClasses(locations = MainClasses.class)
final class LayeringTest {
  private static final String CORE = "io.queuepair.emulator";

  /** Built by JDK 22 and later only, so that its classes may be missing. */
  private static final String NATIVE_PROVIDER = "bindings/native-provider";

  /** Every module with main sources; each may use only those before it. */
  private static final List<String> MODULES =
      List.of(
          "verbs-api",
          NATIVE_PROVIDER,
          "emulator-core",
          "transport-udp",
          "bindings/disni",
          "bindings/native",
          "tools",
          "junit5",
          "lab");

  private static final String[] API = {
    "io.queuepair.verbs..", "io.queuepair.rdmacm..", "io.queuepair.umad.."
  };

  /** Packages of the core, each of which may use those before it. */
  private static final List<String> CORE_PACKAGES =
      Stream.of(
              (".profile .coverage .wire .memory .queue .engine .cm .fabric .hca .faults .observe"
                      + " .device .rdmacm .threads")
                  .split(" "))
          .map(CORE::concat)
          .toList();

  /** Packages of the core and of networks that programs may use. */
  private static final DescribedPredicate<JavaClass> EXPORTED =
      resideInAnyPackage(
          CORE,
          CORE + ".profile",
          CORE + ".coverage",
          CORE + ".fabric",
          CORE + ".observe",
          CORE + ".faults",
          CORE + ".threads",
          "io.queuepair.udp");

  private static final Pattern MODULE = Pattern.compile("<module>([^<]+)</module>");

  private static final Pattern IMPORT =
      Pattern.compile("^import (?:static )?(io\\.queuepair[.\\w]*)\\.[A-Z]", Pattern.MULTILINE);

  @ArchTest
  static final ArchRule modulesDependDownwards =
      layered(
              "verbs-api",
              "io.queuepair.(verbs|rdmacm|umad)..",
              NATIVE_PROVIDER,
              "io.queuepair.nativeprovider..",
              "emulator-core",
              CORE + "..",
              "transport-udp",
              "io.queuepair.udp..",
              "bindings/disni",
              "io.queuepair.disni..",
              "bindings/native",
              "io.queuepair.nativeverbs..",
              "tools",
              "io.queuepair.tools..",
              "junit5",
              "io.queuepair.junit5..",
              "lab",
              "io.queuepair.lab..")
          .because("applications, the device and the network are replaceable separately");

  @ArchTest
  static final ArchRule corePackagesDependDownwards =
      layered(
              Stream.concat(CORE_PACKAGES.stream(), Stream.of(CORE))
                  .flatMap(name -> Stream.of(name, name))
                  .toArray(String[]::new))
          .because("each package of the core may use those above it in the table, never below");

  @ArchTest
  static final ArchRule coreHasNoOtherPackages =
      classes()
          .that()
          .resideInAPackage(CORE + "..")
          .should()
          .resideInAnyPackage(
              Stream.concat(CORE_PACKAGES.stream(), Stream.of(CORE)).toArray(String[]::new))
          .because("a package outside the table would escape its order");

  @ArchTest
  static final ArchRule verbsDependsOnTheJdkOnly =
      classes()
          .that()
          .resideInAnyPackage(API)
          .should()
          .onlyDependOnClassesThat(
              resideInAnyPackage(API)
                  .or(resideInAnyPackage("java..", "org.jspecify.annotations..")))
          .because("applications compile against it and must get nothing else with it");

  @ArchTest
  static final ArchRule verbsAndCoreSayWhatMayBeNull =
      classes()
          .that(resideInAnyPackage(API).or(resideInAnyPackage(CORE + "..")))
          .should(beOfANullMarkedPackage())
          .because("all but @Nullable is never null");

  @ArchTest
  static final ArchRule nettyIsADetail =
      noClasses()
          .that()
          .resideOutsideOfPackages("io.queuepair.udp..", "io.queuepair.tools.serve..")
          .should()
          .dependOnClassesThat()
          .resideInAPackage("io.netty..")
          .because("Netty is a detail of one transport, and of the server of pages");

  @ArchTest
  static final ArchRule toolsUseExportedPackages =
      classes()
          .that()
          .resideInAnyPackage("io.queuepair.lab..", "io.queuepair.tools..")
          .and()
          // It judges messages on the wire, and ids and connections that must be gone.
          .resideOutsideOfPackage("io.queuepair.lab.cmsimulation")
          .and()
          // It measures what the native library posts by.
          .doNotHaveSimpleName("PostingLoad")
          .should()
          .onlyDependOnClassesThat(
              resideOutsideOfPackage("io.queuepair..")
                  .or(resideInAnyPackage("io.queuepair.lab..", "io.queuepair.tools.."))
                  .or(resideInAnyPackage(API))
                  .or(resideInAnyPackage("io.queuepair.nativeverbs"))
                  .or(EXPORTED))
          .because("what the tools need, users need: it must be reachable for both");

  @ArchTest
  static final ArchRule extensionUsesExportedPackages =
      classes()
          .that()
          .resideInAPackage("io.queuepair.junit5..")
          .should()
          .onlyDependOnClassesThat(
              resideOutsideOfPackage("io.queuepair..")
                  .or(
                      resideInAnyPackage(
                          "io.queuepair.junit5..", "io.queuepair.verbs..", "io.queuepair.rdmacm"))
                  .or(EXPORTED))
          .because("it is a program like any other, for the tests of others");

  private LayeringTest() {}

  @ArchTest
  static void modulesAndPackagesAreFreeOfCycles(JavaClasses classes) {
    for (String parts :
        List.of(
            "io.queuepair.(*)..",
            CORE + ".(**)",
            "io.queuepair.tools.(**)",
            "io.queuepair.lab.(**)")) {
      slices().matching(parts).should().beFreeOfCycles().check(classes);
    }
  }

  @ArchTest
  static void everyModuleHasItsPlace(JavaClasses classes) {
    String pom = text(SourceTree.root().resolve("pom.xml"));

    assertThat(MODULE.matcher(pom).results().map(found -> found.group(1)))
        .filteredOn(module -> !module.startsWith("tests/"))
        .filteredOn(module -> Files.isDirectory(mainSources(module)))
        .containsExactlyInAnyOrderElementsOf(MODULES);
  }

  /** By the sources, since not every JDK compiles every module. */
  @ArchTest
  static void noModuleImportsOneBehindIt(JavaClasses classes) {
    for (int i = 0; i < MODULES.size(); i++) {
      Set<String> imported = importedPackages(MODULES.get(i));
      for (String behind : MODULES.subList(i + 1, MODULES.size())) {
        assertThat(imported)
            .as(MODULES.get(i) + " and " + behind)
            .noneMatch(name -> Files.isDirectory(mainSources(behind).resolve(path(name))));
      }
    }
  }

  private static Path mainSources(String module) {
    return SourceTree.root().resolve(module).resolve("src/main/java");
  }

  private static String path(String packageName) {
    return packageName.replace('.', '/');
  }

  private static Set<String> importedPackages(String module) {
    return SourceTree.files(mainSources(module), ".java").stream()
        .flatMap(file -> IMPORT.matcher(text(file)).results())
        .map(found -> found.group(1))
        .collect(Collectors.toCollection(TreeSet::new));
  }

  private static String text(Path file) {
    return String.join("\n", SourceTree.lines(file));
  }

  private static ArchCondition<JavaClass> beOfANullMarkedPackage() {
    return ArchCondition.from(
        DescribedPredicate.describe(
            "be of a package with @NullMarked",
            type -> type.getPackage().isAnnotatedWith(NullMarked.class)));
  }

  /** Layers as pairs of name and package, each of which may use only those before it. */
  private static LayeredArchitecture layered(String... namesAndPackages) {
    Map<String, String> layers = new LinkedHashMap<>();
    for (int i = 0; i < namesAndPackages.length; i += 2) {
      layers.put(namesAndPackages[i], namesAndPackages[i + 1]);
    }
    LayeredArchitecture architecture = layeredArchitecture().consideringOnlyDependenciesInLayers();
    for (Map.Entry<String, String> layer : layers.entrySet()) {
      architecture =
          layer.getKey().equals(NATIVE_PROVIDER)
              ? architecture.optionalLayer(layer.getKey()).definedBy(layer.getValue())
              : architecture.layer(layer.getKey()).definedBy(layer.getValue());
    }
    String[] names = layers.keySet().toArray(String[]::new);
    architecture = architecture.whereLayer(names[0]).mayNotAccessAnyLayer();
    for (int i = 1; i < names.length; i++) {
      String[] above = Arrays.copyOf(names, i);
      architecture = architecture.whereLayer(names[i]).mayOnlyAccessLayers(above);
    }
    return architecture;
  }
}
