// SPDX-License-Identifier: Apache-2.0
package io.queuepair.disni;

import com.ibm.disni.verbs.RdmaCm;
import com.ibm.disni.verbs.RdmaProvider;
import com.ibm.disni.verbs.RdmaVerbs;
import java.io.IOException;
import java.lang.invoke.MethodHandles;

/** Provides DiSNI's connection manager and verbs. */
final class DisniRdmaProvider extends RdmaProvider {
  private static final int VERSION_OF_LIBDISNI = 37;

  private final RdmaVerbs verbs = new DisniRdmaVerbs();
  private final RdmaCm cm;

  DisniRdmaProvider(io.queuepair.rdmacm.RdmaCm cm, int retries) {
    this.cm = new DisniRdmaCm(cm, new DisniContexts(), retries);
  }

  /**
   * Makes it the provider of all programs in this class loader. DiSNI names its own in its code,
   * and reads no property.
   */
  void install() {
    try {
      MethodHandles.privateLookupIn(RdmaProvider.class, MethodHandles.lookup())
          .findStaticVarHandle(RdmaProvider.class, "provider", RdmaProvider.class)
          .set(this);
      // Takes DiSNI's lock, so that every thread sees the new provider.
      RdmaProvider.provider();
    } catch (ReflectiveOperationException | IOException missing) {
      throw new IllegalStateException(
          "this version of DiSNI has no field RdmaProvider.provider; 2.0 and 2.1 have", missing);
    }
  }

  @Override
  public RdmaCm openCm() {
    return cm;
  }

  @Override
  public RdmaVerbs openVerbs() {
    return verbs;
  }

  @Override
  public int getVersion() {
    return VERSION_OF_LIBDISNI;
  }
}
