// SPDX-License-Identifier: Apache-2.0
/** Tests of the provider that need neither adapter nor emulator. */
package io.queuepair.nativeprovider;
