// SPDX-License-Identifier: Apache-2.0
package io.queuepair.disni;

import com.ibm.disni.util.StopWatch;
import java.io.IOException;
import java.io.InputStream;
import java.lang.invoke.MethodHandles;
import java.util.Map;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.commons.ClassRemapper;
import org.objectweb.asm.commons.SimpleRemapper;

/**
 * Defines classes of DiSNI that load native code or use internals of the JDK before DiSNI's own are
 * loaded: those of the package {@code replacement}, under DiSNI's names.
 */
final class ReplacementClasses {
  private static final String OWN_PACKAGE = "io/queuepair/disni/replacement/";
  private static final String DISNI_PACKAGE = "com/ibm/disni/util/";
  private static final Map<String, String> DISNI_NAMES =
      Map.of("NoAffinity", "NativeAffinity", "BufferAddress", "MemoryUtils");

  private ReplacementClasses() {}

  /**
   * Defines them in the class loader of DiSNI.
   *
   * @throws IllegalStateException if DiSNI has loaded its own already
   */
  static void define() {
    try {
      MethodHandles.Lookup disni =
          MethodHandles.privateLookupIn(StopWatch.class, MethodHandles.lookup());
      for (String name : DISNI_NAMES.keySet()) {
        disni.defineClass(renamed(name));
      }
    } catch (NoClassDefFoundError missing) {
      throw new IllegalStateException("com.ibm.disni:disni is not on the class path", missing);
    } catch (LinkageError loaded) {
      throw new IllegalStateException(
          "DiSNI is in use already: install the emulation before anything of DiSNI is used",
          loaded);
    } catch (IllegalAccessException refused) {
      throw new IllegalStateException("DiSNI's module does not open its packages", refused);
    }
  }

  private static byte[] renamed(String name) {
    try (InputStream in =
        ReplacementClasses.class.getResourceAsStream("/" + OWN_PACKAGE + name + ".class")) {
      ClassWriter out = new ClassWriter(0);
      new ClassReader(in)
          .accept(
              new ClassRemapper(
                  out,
                  new SimpleRemapper(
                      Opcodes.ASM9,
                      Map.of(OWN_PACKAGE + name, DISNI_PACKAGE + DISNI_NAMES.get(name)))),
              0);
      return out.toByteArray();
    } catch (IOException unreadable) {
      throw new IllegalStateException(name + ".class of Queuepair cannot be read", unreadable);
    }
  }
}
