package io.queuepair.tests.architecture;

import com.tngtech.archunit.core.importer.Location;
import com.tngtech.archunit.junit.LocationProvider;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.stream.Stream;

/** The compiled classes of every module, its tests included. */
final class AllClasses implements LocationProvider {
  @Override
  public Set<Location> get(Class<?> testClass) {
    Set<Location> locations = new LinkedHashSet<>(new MainClasses().get(testClass));
    Stream.concat(SourceTree.MAIN_MODULES.stream(), Stream.of("tests"))
        .map(module -> SourceTree.root().resolve(module).resolve("target/test-classes"))
        .filter(Files::isDirectory)
        .map((Path classes) -> Location.of(classes))
        .forEach(locations::add);
    return locations;
  }
}
