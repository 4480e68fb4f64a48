// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tools.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Both drawings of a run have their lines and texts in them. */
final class DiagramLayoutTest {
  @ParameterizedTest
  @EnumSource
  void theLinesOfDevicesStandBesideEachOther(DiagramLayout layout) {
    assertThat(layout.line(0, 1)).isEqualTo((layout.line(0, 2) + layout.line(1, 2)) / 2);
    assertThat(layout.line(2, 3)).isEqualTo(layout.line(1, 2)).isLessThan(layout.width);
    assertThat(layout.line(1, 3) - layout.line(0, 3)).isEqualTo(layout.distance(3));
  }

  @ParameterizedTest
  @EnumSource
  void whatWouldLeaveTheDrawingIsMoved(DiagramLayout layout) {
    double half = 40;

    assertThat(layout.inside(0, half)).isEqualTo(layout.left + half);
    assertThat(layout.inside(layout.width, half)).isLessThan(layout.width - half);
    assertThat(layout.inside(layout.line(1, 3), half)).isEqualTo(layout.line(1, 3));
  }

  @ParameterizedTest
  @EnumSource
  void aLineOfTextFits(DiagramLayout layout) {
    double letter = layout.smallCharWidth;

    assertThat(layout.left + layout.columns(letter) * letter).isLessThan(layout.width);
  }

  @Test
  void wordsThatAreTooLongAreCut() {
    assertThat(XmlWriter.wrapped("ab cdefghij k", 4)).containsExactly("ab", "cdef", "ghij", "k");
    assertThat(XmlWriter.wrapped("abcd efgh", 4)).containsExactly("abcd", "efgh");
  }
}
