// SPDX-License-Identifier: Apache-2.0
/** {@code queuepair decode}: the RoCEv2 packets of a capture file. */
package io.queuepair.tools.decode;
