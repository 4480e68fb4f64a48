package io.queuepair.tests.architecture;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

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
          .accessTargetWhere(
              CoreRulesTest.memberOf(AccessibleObject.class, "(try)?[sS]etAccessible"))
          .because("a test that needs a private field is a missing query");

  @ArchTest
  static final ArchRule nobodySleeps =
      noClasses()
          .should()
          .accessTargetWhere(CoreRulesTest.memberOf(Thread.class, "sleep"))
          .orShould()
          .accessTargetWhere(CoreRulesTest.memberOf(TimeUnit.class, "sleep"))
          .because("a sleep is too short on a busy machine and too long on any other");

  @ArchTest
  static final ArchRule nobodyUsesJavaUtilLogging =
      noClasses()
          .should()
          .dependOnClassesThat()
          .resideInAPackage("java.util.logging..")
          .because("libraries log through SLF4J");

  private EveryClassTest() {}
}
