// SPDX-License-Identifier: Apache-2.0
package io.queuepair.nativeverbs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.queuepair.verbs.Errno;
import io.queuepair.verbs.VerbsException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Numbers name objects while they live, and nothing afterwards. */
final class HandleTableTest {
  private final HandleTable handles = new HandleTable();

  @Test
  void findsWhatItNames() {
    long handle = handles.add("one");

    assertThat(handles.get(handle, String.class)).isEqualTo("one");
  }

  @Test
  void refusesAnObjectThatIsGoneAlsoWhenItsPlaceIsTaken() {
    long gone = handles.add("gone");
    handles.remove(gone);
    long next = handles.add("next");

    assertThat(next).isNotEqualTo(gone);
    assertThatThrownBy(() -> handles.get(gone, String.class))
        .isInstanceOfSatisfying(
            VerbsException.class, refused -> assertThat(refused.errno()).isEqualTo(Errno.EINVAL));
  }

  @Test
  void findsAHandleByItsLowerHalf() {
    long handle = handles.add("shared");

    assertThat(handles.ofNumber((int) handle)).isEqualTo(handle);
    handles.remove(handle);
    assertThatThrownBy(() -> handles.ofNumber((int) handle)).isInstanceOf(VerbsException.class);
  }

  @Test
  void refusesHandlesOfOtherPrograms() {
    HandleTable parents = new HandleTable();
    HandleTable childs = new HandleTable();
    long handle = parents.add("of the parent");
    childs.add("of the child");

    assertThatThrownBy(() -> childs.get(handle, String.class)).isInstanceOf(VerbsException.class);
  }

  @Test
  void doesWhatBelongsToAnObjectWhenThatIsReplacedOrGone() {
    List<String> done = new ArrayList<>();
    HandleTable table = new HandleTable();
    long handle = table.add("queue");

    table.onRemove(handle, () -> done.add("first ring"));
    table.onRemove(handle, () -> done.add("second ring"));
    assertThat(done).containsExactly("first ring");
    table.remove(handle);

    assertThat(done).containsExactly("first ring", "second ring");
  }

  @Test
  void refusesAnObjectOfAnotherKind() {
    long handle = handles.add("text");

    assertThatThrownBy(() -> handles.get(handle, Integer.class))
        .isInstanceOf(VerbsException.class)
        .hasMessageContaining("Integer");
  }

  @Test
  void refusesNumbersThatNeverWere() {
    for (long wild : new long[] {-1, 0, 5, Long.MAX_VALUE, Long.MIN_VALUE}) {
      assertThatThrownBy(() -> handles.get(wild, Object.class)).isInstanceOf(VerbsException.class);
    }
  }
}
