// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tests.architecture;

import com.tngtech.archunit.core.importer.Location;
import com.tngtech.archunit.core.importer.Locations;
import com.tngtech.archunit.junit.LocationProvider;
import io.queuepair.tests.support.SourceTree;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The compiled classes on the class path, and those of the tests of the modules that are on it. */
final class AllClasses implements LocationProvider {
  @Override
  public Set<Location> get(Class<?> testClass) {
    Set<Location> classPath = Locations.ofPackage("io.queuepair");
    Stream<Location> testsOfModules =
        SourceTree.MAIN_MODULES.stream()
            .filter(module -> classPath.stream().anyMatch(in -> in.contains("/" + module + "/")))
            .map(module -> SourceTree.root().resolve(module))
            .map(module -> module.resolve("target/test-classes"))
            .filter(Files::isDirectory)
            .map((Path classes) -> Location.of(classes));
    return Stream.concat(classPath.stream(), testsOfModules).collect(Collectors.toSet());
  }
}
