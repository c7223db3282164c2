// The page without a connection, in the language that was chosen; it goes on as soon as the server answers.
const SPANISH = {
  title: "No hay conexión con Toolgate",
  text: "Comprueba la red o si el servidor está en marcha. Nada de lo aceptado se pierde. Esta página sigue por sí sola en cuanto pueda.",
  again: "Reintentar",
};
const RETRY_MS = 5_000;

let chosen = null;
try {
  chosen = localStorage.getItem("toolgate.language");
} catch {
  // Storage may be forbidden; then the browser's language decides.
}
if ((chosen ?? navigator.language).startsWith("es")) {
  document.documentElement.lang = "es";
  document.title = "Sin conexión · Toolgate";
  for (const [id, words] of Object.entries(SPANISH)) document.getElementById(id).textContent = words;
}

async function look() {
  try {
    const answer = await fetch("/healthz", { cache: "no-store" });
    if (answer.ok) window.location.reload();
  } catch {
    // Still gone.
  }
}
setInterval(look, RETRY_MS);
window.addEventListener("online", look);
