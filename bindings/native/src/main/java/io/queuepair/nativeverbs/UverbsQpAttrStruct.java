// SPDX-License-Identifier: Apache-2.0
package io.queuepair.nativeverbs;

import io.queuepair.verbs.QpAttr;
import io.queuepair.verbs.VerbsConstant;
import java.nio.ByteBuffer;

/** {@code struct ib_uverbs_qp_attr}: a mask and then attributes, as the kernel returns them. */
final class UverbsQpAttrStruct {
  static final int SIZE = 144;

  private static final int AH_ATTR = 40;

  private UverbsQpAttrStruct() {}

  static void write(ByteBuffer args, int at, QpAttr attr) {
    Args.clear(args, at, SIZE);
    args.putInt(at, VerbsConstant.mask(attr.mask()));
    QpAttrStruct.writeShared(args, at + Integer.BYTES, attr);
    AhAttrStruct.write(args, at + AH_ATTR, attr.ahAttr());
  }
}
