// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tests.architecture;

import static com.tngtech.archunit.base.DescribedPredicate.describe;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaAccess;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import java.lang.reflect.AccessibleObject;
import java.util.concurrent.TimeUnit;

/** What no class of ours does, tests included. */
@AnalyzeClasses(locations = AllClasses.class)
final class EveryClassTest {
  @ArchTest
  static final ArchRule nobodyBreaksEncapsulation =
      noClasses()
          .that()
          .resideOutsideOfPackage("..jmh_generated..")
          .should()
          .accessTargetWhere(memberOf(AccessibleObject.class, "(try)?[sS]etAccessible"))
          .because("a test that needs a private field is a missing query");

  @ArchTest
  static final ArchRule nobodySleeps =
      noClasses()
          .should()
          .accessTargetWhere(memberOf(Thread.class, "sleep"))
          .orShould()
          .accessTargetWhere(memberOf(TimeUnit.class, "sleep"))
          .because("a sleep is too short on a busy machine and too long on any other");

  @ArchTest
  static final ArchRule nobodyUsesJavaUtilLogging =
      noClasses()
          .should()
          .dependOnClassesThat()
          .resideInAPackage("java.util.logging..")
          .because("libraries log through SLF4J");

  private EveryClassTest() {}

  /** A call of, or a method reference to, a member of that class whose name matches. */
  static DescribedPredicate<JavaAccess<?>> memberOf(Class<?> owner, String name) {
    return describe(
        owner.getSimpleName() + "." + name,
        access ->
            access.getTarget().getOwner().isAssignableTo(owner) && access.getName().matches(name));
  }
}
