package io.queuepair.tests.architecture;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideOutsideOfPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.Architectures.layeredArchitecture;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.library.Architectures.LayeredArchitecture;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;

/** Modules and packages depend in one direction. */
@AnalyzeClasses(locations = MainClasses.class)
final class LayeringTest {
  private static final String CORE = "io.queuepair.emulator";

  @ArchTest
  static final ArchRule modulesDependDownwards =
      layered(
              "verbs-api", "io.queuepair.verbs..",
              "emulator-core", CORE + "..",
              "transport-udp", "io.queuepair.udp..",
              "tools", "io.queuepair.tools..")
          .because("applications, the device and the network are replaceable separately");

  @ArchTest
  static final ArchRule corePackagesDependDownwards =
      layered(
              "profile", CORE + ".profile..",
              "coverage", CORE + ".coverage..",
              "snapshot", CORE + ".snapshot..",
              "wire", CORE + ".wire..",
              "memory", CORE + ".memory..",
              "queue", CORE + ".queue..",
              "qp", CORE + ".qp..",
              "sanitizer", CORE + ".sanitizer..",
              "engine", CORE + ".engine..",
              "fabric", CORE + ".fabric..",
              "faults", CORE + ".faults..",
              "device", CORE + ".device..",
              "facade", CORE)
          .because("each package of the core may use those above it in the table, never below");

  @ArchTest
  static final ArchRule coreHasNoOtherPackages =
      classes()
          .that()
          .resideInAPackage(CORE + "..")
          .should()
          .resideInAnyPackage(
              CORE,
              CORE + ".profile..",
              CORE + ".coverage..",
              CORE + ".snapshot..",
              CORE + ".wire..",
              CORE + ".memory..",
              CORE + ".queue..",
              CORE + ".qp..",
              CORE + ".sanitizer..",
              CORE + ".engine..",
              CORE + ".fabric..",
              CORE + ".faults..",
              CORE + ".device..")
          .because("a package outside the table would escape its order");

  @ArchTest
  static final ArchRule modulesAreFreeOfCycles =
      slices()
          .matching("io.queuepair.(*)..")
          .should()
          .beFreeOfCycles()
          .because("a cycle makes two modules one");

  @ArchTest
  static final ArchRule corePackagesAreFreeOfCycles =
      slices()
          .matching(CORE + ".(**)")
          .should()
          .beFreeOfCycles()
          .because("a cycle makes two packages one");

  @ArchTest
  static final ArchRule toolsPackagesAreFreeOfCycles =
      slices()
          .matching("io.queuepair.tools.(**)")
          .should()
          .beFreeOfCycles()
          .allowEmptyShould(true)
          .because("a cycle makes two packages one");

  @ArchTest
  static final ArchRule verbsDependsOnTheJdkOnly =
      classes()
          .that()
          .resideInAPackage("io.queuepair.verbs..")
          .should()
          .onlyDependOnClassesThat()
          .resideInAnyPackage("java..", "io.queuepair.verbs..")
          .because("applications compile against it and must get nothing else with it");

  @ArchTest
  static final ArchRule nettyEndsInUdp =
      noClasses()
          .that()
          .resideOutsideOfPackages("io.queuepair.udp..", "io.queuepair.tools.bench.raw..")
          .should()
          .dependOnClassesThat()
          .resideInAPackage("io.netty..")
          .because("Netty is a detail of one transport, and of what that is measured against");

  @ArchTest
  static final ArchRule toolsUseExportedPackages =
      classes()
          .that()
          .resideInAPackage("io.queuepair.tools..")
          .should()
          .onlyDependOnClassesThat(
              resideOutsideOfPackage("io.queuepair..")
                  .or(resideInAPackage("io.queuepair.tools.."))
                  .or(
                      resideInAnyPackage(
                          "io.queuepair.verbs..",
                          CORE,
                          CORE + ".profile",
                          CORE + ".coverage",
                          CORE + ".snapshot",
                          CORE + ".fabric",
                          CORE + ".faults",
                          "io.queuepair.udp")))
          .because("what the tools need, users need: it must be reachable for both");

  private LayeringTest() {}

  /** Layers as pairs of name and package, each of which may use only those before it. */
  private static LayeredArchitecture layered(String... namesAndPackages) {
    Map<String, String> layers = new LinkedHashMap<>();
    for (int i = 0; i < namesAndPackages.length; i += 2) {
      layers.put(namesAndPackages[i], namesAndPackages[i + 1]);
    }
    LayeredArchitecture architecture =
        layeredArchitecture().consideringOnlyDependenciesInLayers().withOptionalLayers(true);
    for (Map.Entry<String, String> layer : layers.entrySet()) {
      architecture = architecture.layer(layer.getKey()).definedBy(layer.getValue());
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
