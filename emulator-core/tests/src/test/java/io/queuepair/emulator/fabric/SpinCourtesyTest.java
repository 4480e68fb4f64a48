package io.queuepair.emulator.fabric;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class SpinCourtesyTest {
  private final AtomicInteger yields = new AtomicInteger();
  private final SpinCourtesy courtesy = new SpinCourtesy(yields::incrementAndGet);

  @Test
  void yieldsAfterManyLooksInVain() {
    look(SpinCourtesy.PATIENT_LOOKS - 1);
    assertThat(yields).hasValue(0);

    look(1);
    assertThat(yields).hasValue(1);

    look(2 * SpinCourtesy.PATIENT_LOOKS);
    assertThat(yields).hasValue(3);
  }

  @Test
  void doesNotYieldWhileThereIsSomethingToDo() {
    for (int i = 0; i < 100; i++) {
      look(SpinCourtesy.PATIENT_LOOKS - 1);
      courtesy.looked(true);
    }

    assertThat(yields).hasValue(0);
  }

  private void look(int times) {
    for (int i = 0; i < times; i++) {
      courtesy.looked(false);
    }
  }
}
