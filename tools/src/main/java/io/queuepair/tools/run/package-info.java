// SPDX-License-Identifier: Apache-2.0
/** {@code queuepair run}: unmodified programs on an emulated device. */
package io.queuepair.tools.run;
