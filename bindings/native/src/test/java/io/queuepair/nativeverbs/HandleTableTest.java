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
  private final OpenFile file = new OpenFile(handles, null, -1, 0);

  @Test
  void findsWhatItNames() {
    long handle = handles.add(file, "one");

    assertThat(handles.get(file, handle, String.class)).isEqualTo("one");
  }

  @Test
  void refusesAnObjectThatIsGoneAlsoWhenItsPlaceIsTaken() {
    long gone = handles.add(file, "gone");
    handles.remove(gone);
    long next = handles.add(file, "next");

    assertThat(next).isNotEqualTo(gone);
    assertThatThrownBy(() -> handles.get(file, gone, String.class))
        .isInstanceOfSatisfying(
            VerbsException.class, refused -> assertThat(refused.errno()).isEqualTo(Errno.EINVAL));
  }

  @Test
  void findsAHandleByItsLowerHalf() {
    long handle = handles.add(file, "shared");

    assertThat(handles.ofNumber(file, (int) handle)).isEqualTo(handle);
    handles.remove(handle);
    assertThatThrownBy(() -> handles.ofNumber(file, (int) handle))
        .isInstanceOf(VerbsException.class);
  }

  @Test
  void refusesHandlesOfOtherFiles() {
    OpenFile other = new OpenFile(handles, null, -1, 1);
    long handle = handles.add(file, "of one");

    assertThat(handles.fileOf(handle)).isEqualTo(file);
    assertThatThrownBy(() -> handles.get(other, handle, String.class))
        .isInstanceOf(VerbsException.class);
    assertThatThrownBy(() -> handles.ofNumber(other, (int) handle))
        .isInstanceOf(VerbsException.class);
    assertThat(handles.latestFirst(other)).isEmpty();
  }

  @Test
  void doesAtOnceWhatBelongsToAnObjectThatIsGone() {
    List<String> done = new ArrayList<>();
    long gone = handles.add(file, "queue");
    handles.remove(gone);
    handles.add(file, "next");

    handles.onRemove(gone, () -> done.add("ring"));

    assertThat(done).containsExactly("ring");
  }

  @Test
  void doesWhatBelongsToAnObjectWhenThatIsReplacedOrGone() {
    List<String> done = new ArrayList<>();
    long handle = handles.add(file, "queue");

    handles.onRemove(handle, () -> done.add("first ring"));
    handles.onRemove(handle, () -> done.add("second ring"));
    assertThat(done).containsExactly("first ring");
    handles.remove(handle);

    assertThat(done).containsExactly("first ring", "second ring");
  }

  @Test
  void refusesAnObjectOfAnotherKind() {
    long handle = handles.add(file, "text");

    assertThatThrownBy(() -> handles.get(file, handle, Integer.class))
        .isInstanceOf(VerbsException.class)
        .hasMessageContaining("Integer");
  }

  @Test
  void refusesNumbersThatNeverWere() {
    for (long wild : new long[] {-1, 0, 5, Long.MAX_VALUE, Long.MIN_VALUE}) {
      assertThatThrownBy(() -> handles.get(file, wild, Object.class))
          .isInstanceOf(VerbsException.class);
    }
  }
}
