// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tests.architecture;

import com.tngtech.archunit.core.importer.Location;
import com.tngtech.archunit.core.importer.Locations;
import com.tngtech.archunit.junit.LocationProvider;
import java.util.Set;
import java.util.stream.Collectors;

/** The compiled main classes of every module on the class path. */
final class MainClasses implements LocationProvider {
  @Override
  public Set<Location> get(Class<?> testClass) {
    return Locations.ofPackage("io.queuepair").stream()
        .filter(
            location ->
                !location.contains("/test-classes/") && !location.contains("/tests/support/"))
        .collect(Collectors.toSet());
  }
}
