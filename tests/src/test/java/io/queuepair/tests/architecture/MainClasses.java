package io.queuepair.tests.architecture;

import com.tngtech.archunit.core.importer.Location;
import com.tngtech.archunit.junit.LocationProvider;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashSet;
import java.util.Set;

/** The compiled main classes of every module. */
final class MainClasses implements LocationProvider {
  @Override
  public Set<Location> get(Class<?> testClass) {
    Set<Location> locations = new LinkedHashSet<>();
    for (String module : SourceTree.MAIN_MODULES) {
      Path classes = SourceTree.root().resolve(module).resolve("target/classes");
      // A rule over no classes passes, so a missing directory must not.
      if (!Files.isDirectory(classes)) {
        throw new IllegalStateException(classes + " is missing: build the whole project");
      }
      locations.add(Location.of(classes));
    }
    return locations;
  }
}
